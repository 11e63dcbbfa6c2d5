"""Holds every answer the tests get against service/openapi.json: status, media type, members.

What the document does not name is a failure, so that it stays whole as the service grows."""

import copy
import datetime
import functools
import json
import pathlib
import re
import urllib.parse

import jsonschema

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "service" / "openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")

formats = jsonschema.FormatChecker(formats=())


@formats.checks("date-time", raises=ValueError)
def is_instant(text):
    if isinstance(text, str):
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", text):
            raise ValueError(text)
        datetime.datetime.fromisoformat(text[:19])
    return True


@formats.checks("date", raises=ValueError)
def is_day(text):
    return not isinstance(text, str) or bool(datetime.date.fromisoformat(text))


@formats.checks("uri")
def is_absolute(text):
    return not isinstance(text, str) or re.match(r"https?://[^/\s]+(/\S*)?$", text) is not None


@formats.checks("uri-reference")
def is_link(text):
    return not isinstance(text, str) or re.match(r"(https?://[^/\s]+)?/[^\s]*$", text) is not None


def closed(schema):
    """The schema with every object that lists its members closed to others."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


class Contract:
    def __init__(self, document=None):
        self.document = document or json.loads(DOCUMENT.read_text(encoding="utf-8"))
        self.components = closed(copy.deepcopy(self.document["components"]))
        self.seen = set()
        rows = [
            (path.count("{"), re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "$"), method, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if method in METHODS
        ]
        self.rows = sorted(rows, key=lambda row: row[0])

    def operations(self):
        return {operation["operationId"]: operation for _, _, _, operation in self.rows}

    def operation(self, method, target):
        """The operation of a request; None when the document has none."""
        path = urllib.parse.urlsplit(target).path
        for _, pattern, of_method, operation in self.rows:
            if of_method == method.lower() and pattern.match(path):
                return operation
        return None

    def resolve(self, thing):
        while "$ref" in thing:
            thing = functools.reduce(lambda part, name: part[name], thing["$ref"].split("/")[1:], self.document)
        return thing

    def check(self, response):
        """Fails when the document does not foresee the answer (of the library requests)."""
        operation = self.operation(response.request.method, response.request.path_url)
        if operation is None or response.status_code == 429:
            return
        name = f"{operation['operationId']} {response.status_code}"
        described = operation["responses"].get(str(response.status_code))
        assert described, f"{name} is not in openapi.json: {response.text[:500]}"
        described = self.resolve(described)
        self.seen.add((operation["operationId"], response.status_code))
        for header in described.get("headers", {}):
            wanted = header not in ("Link", "Retry-After")
            assert not wanted or header in response.headers, f"{name} has no {header}"
        self._check_body(name, described.get("content", {}), response)

    def _check_body(self, name, content, response):
        if not content:
            assert not response.content, f"{name} should have no body: {response.text[:200]}"
            return
        media = response.headers["Content-Type"].split(";")[0]
        assert media in content, f"{name} came as {media}"
        if media.endswith("json") and "schema" in content[media]:
            self.validate(response.json(), content[media]["schema"], name)

    def validate(self, value, schema, name):
        whole = {**closed(schema), "components": self.components}
        validator = jsonschema.Draft202012Validator(whole, format_checker=formats)
        faults = sorted(validator.iter_errors(value), key=lambda fault: list(fault.absolute_path))
        assert not faults, f"{name}: {'/'.join(map(str, faults[0].absolute_path))}: {faults[0].message}"


contract = Contract()
