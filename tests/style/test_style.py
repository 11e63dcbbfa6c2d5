"""House rules that no compiler checks. Each test lists every place that breaks its rule."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_OURS = {".git", "build", ".run", "__pycache__", ".pytest_cache", ".hypothesis"}
TOP_LEVEL = {"Makefile", "README.md", "LICENSE", "service", "rules", "db", "mail", "tests", "docker"}
CODE_FOLDERS = ("rules", "db", "mail", "service")
LONGEST_FILE = 500
LONGEST_FUNCTION = 50

BANNED_FUNCTIONS = (
    "sprintf vsprintf strcpy strcat strncpy strncat strtok atoi atol gets sscanf gmtime localtime "
    "alloca g_alloca system"
).split()
# The wall clock: SQL's clock_now() is the only reader. Monotonic time for time-outs is fine.
WALL_CLOCK_C = (
    r"\b(time|gettimeofday|g_get_real_time|g_date_time_new_now(_utc|_local)?|ftime|g_get_current_time)\s*\("
    r"|CLOCK_REALTIME|TIME_UTC"
)
WALL_CLOCK_SQL = (
    r"\bnow\s*\(|\bclock_timestamp\s*\(|\bstatement_timestamp\s*\(|\btransaction_timestamp\s*\("
    r"|\bCURRENT_(TIMESTAMP|DATE|TIME)\b|\bLOCALTIME(STAMP)?\b"
)
GLIB_TYPES = r"\b(gint|guint|gchar|guchar|glong|gulong|gshort|gushort|gfloat|gdouble|gpointer|gsize|gssize)\b"


def files(*suffixes, folders=None):
    found = []
    for path in sorted(ROOT.rglob("*")):
        relative = path.relative_to(ROOT)
        if relative.parts[0] in NOT_OURS or set(relative.parts) & NOT_OURS or not path.is_file():
            continue
        if suffixes and path.suffix not in suffixes:
            continue
        if folders and relative.parts[0] not in folders:
            continue
        found.append(relative)
    return found


def text_of(relative):
    return (ROOT / relative).read_text(encoding="utf-8")


def without_comments(source):
    """C source with comments and the insides of strings blanked, line numbers kept."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)

    def blank(match):
        found = match.group(0)
        if found[0] == '"':
            return '""'
        return re.sub(r"[^\n]", " ", found)

    return pattern.sub(blank, source)


def without_sql_comments(source):
    return re.sub(r"--[^\n]*|/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group(0)), source, flags=re.S)


def places(pattern, relative, source):
    return [
        f"{relative}:{number}: {line.strip()}"
        for number, line in enumerate(source.splitlines(), 1)
        if re.search(pattern, line)
    ]


def assert_none(found):
    assert not found, "\n" + "\n".join(found)


def functions_of(source):
    """(name line, first line, last line) of each function: Linux braces stand in column 0."""
    lines = without_comments(source).splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield lines[start - 2].strip(), start, number
            start = None


def test_nothing_new_lies_at_the_top():
    entries = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - NOT_OURS
    assert entries - TOP_LEVEL == set()


def test_files_are_small():
    assert_none(
        [
            f"{path}: {len(text_of(path).splitlines())} lines"
            for path in files(".c", ".h", ".py", ".sh", folders=CODE_FOLDERS + ("tests", "docker"))
            if len(text_of(path).splitlines()) > LONGEST_FILE
        ]
    )


def test_functions_are_small():
    found = []
    for path in files(".c"):
        for name, first, last in functions_of(text_of(path)):
            if last - first - 1 > LONGEST_FUNCTION:
                found.append(f"{path}:{first}: {last - first - 1} lines: {name}")
    assert_none(found)


def test_banned_functions_are_not_called():
    pattern = r"(?<![\w>.])(" + "|".join(BANNED_FUNCTIONS) + r")\s*\("
    assert_none([place for path in files(".c", ".h") for place in places(pattern, path, without_comments(text_of(path)))])


def test_no_goto_and_no_glib_names_for_plain_types():
    pattern = r"\bgoto\b|" + GLIB_TYPES
    assert_none([place for path in files(".c", ".h") for place in places(pattern, path, without_comments(text_of(path)))])


def test_handlers_free_nothing_by_hand():
    found = []
    for path in files(".c", folders=("service",)):
        if path.name.startswith("api_"):
            found += places(r"(?<!\w)(g_)?free\s*\(", path, without_comments(text_of(path)))
    assert_none(found)


def test_no_program_reads_the_wall_clock():
    found = []
    for path in files(".c", ".h", folders=CODE_FOLDERS):
        found += places(r"(?<![\w>.])" + WALL_CLOCK_C, path, without_comments(text_of(path)))
    assert_none(found)


def test_only_clock_now_reads_the_clock_in_sql():
    found = []
    for path in files(".sql", ".c", folders=CODE_FOLDERS):
        source = text_of(path)
        if path.suffix == ".sql":
            source = without_sql_comments(source)
            source = re.sub(r"CREATE (OR REPLACE )?FUNCTION clock_now\(.*?;", "", source, flags=re.S)
            found += places("(?i)" + WALL_CLOCK_SQL, path, source)
        else:
            strings = "\n".join(re.findall(r'"(?:\\.|[^"\\\n])*"', source))
            found += places("(?i)" + WALL_CLOCK_SQL, path, strings)
    assert_none(found)


@pytest.mark.parametrize("folder", ["rules", "db", "mail"])
def test_the_three_rooms_do_not_include_each_other(folder):
    others = [name for name in CODE_FOLDERS if name != folder]
    pattern = r'#\s*include\s*"(\.\./|(' + "|".join(others) + ")/)"
    assert_none([place for path in files(".c", ".h", folders=(folder,)) for place in places(pattern, path, text_of(path))])


def test_the_referee_uses_nothing_but_libc():
    found = []
    for path in files(".c", ".h", folders=("rules",)):
        source = without_comments(text_of(path))
        found += places(r"(?<!\w)(malloc|calloc|realloc|free|fopen|printf|puts|rand|random|getenv)\s*\(", path, source)
        found += places(r"#\s*include\s*<(glib|stdio|time|unistd)", path, source)
    assert_none(found)


def test_headers_stand_on_their_own():
    flags = subprocess.run(
        ["pkg-config", "--cflags", "glib-2.0", "libpq", "gmime-3.0", "libcurl", "libmicrohttpd", "jansson", "cairo"],
        check=True, capture_output=True, text=True,
    ).stdout.split()
    found = []
    for path in files(".h"):
        compiled = subprocess.run(
            ["gcc", "-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", "-I.", *flags, "-x", "c", str(path)],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )
        if compiled.returncode != 0:
            found.append(f"{path}: {compiled.stderr.splitlines()[0]}")
        guard = path.stem.upper().replace("-", "_") + "_H"
        if not re.search(r"#ifndef \w*" + guard, text_of(path)):
            found.append(f"{path}: no include guard {guard}")
    assert_none(found)


def test_no_notes_to_self_are_left():
    pattern = r"\b(TODO|FIXME|XXX|HACK)\b"
    found = []
    for path in files(".c", ".h", ".sql", ".sh", ".py", ".md", ".yaml"):
        if path != pathlib.Path("tests/style/test_style.py"):
            found += places(pattern, path, text_of(path))
    assert_none(found)


def test_no_code_is_commented_out():
    likely_code = r"^\s*(//|/\*)\s*(return\b.*;|(if|for|while) \(.*|[\w.>\[\]-]+\s*(=[^=].*|\(.*\));)\s*(\*/)?$"
    found = []
    for path in files(".c", ".h", folders=CODE_FOLDERS):
        found += places(likely_code, path, text_of(path))
    assert_none(found)


def test_text_files_are_clean():
    found = []
    for path in files(".c", ".h", ".sql", ".sh", ".py", ".yaml", ".yml", ".ini"):
        source = text_of(path)
        if source and not source.endswith("\n"):
            found.append(f"{path}: no newline at the end")
        if "\r" in source:
            found.append(f"{path}: carriage return")
        found += places(r"[ \t]+$", path, source)
        if path.suffix in (".sql", ".sh", ".py", ".yaml", ".yml"):
            found += places(r"^\s*\t", path, source)
    assert_none(found)


def test_sql_lines_and_parameters():
    found = []
    for path in files(".sql", folders=("db",)):
        found += [
            f"{path}:{number}: {len(line)} columns"
            for number, line in enumerate(text_of(path).splitlines(), 1)
            if len(line) > 120
        ]
    # Values reach SQL as $n only: no query is put together by a format string.
    for path in files(".c", folders=("db",)):
        for string in re.findall(r'"(?:\\.|[^"\\\n])*"', text_of(path)):
            if re.search(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.*%[sdu]", string):
                found.append(f"{path}: {string}")
    assert_none(found)


def test_lowercase_sql_keywords_are_not_used():
    keywords = r"^\s*(select|insert|update|delete|from|where|create|alter|drop|returning|values|grant|revoke)\b"
    found = []
    for path in files(".sql", folders=("db",)):
        found += places(keywords, path, without_sql_comments(text_of(path)))
    assert_none(found)


def test_everything_docker_copies_exists():
    found = []
    for path in files(folders=("docker",)):
        if path.name.startswith("Dockerfile"):
            for line in text_of(path).splitlines():
                copied = re.match(r"COPY\s+(?!--from)(.+)\s+\S+$", line)
                for name in copied.group(1).split() if copied else []:
                    if not list(ROOT.glob(name.rstrip("/"))):
                        found.append(f"{path}: COPY {name}")
    assert_none(found)
