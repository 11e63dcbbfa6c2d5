"""Requests that two programs may read differently are refused, and nothing behind them is read.

Each row of PITFALLS 3.1: the answer is 4xx or 505, and the connection ends, so that the request
smuggled in behind it is never answered."""

import pytest

from harness.wire import Wire, exchange

SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
POST = "POST /v1/logins HTTP/1.1\r\n"

REFUSED = {
    "content_length_and_chunked": f"{POST}Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "chunked_and_content_length": f"{POST}Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "two_content_lengths": f"{POST}Host: x\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nabc{SMUGGLED}",
    "two_equal_content_lengths": f"{POST}Host: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc{SMUGGLED}",
    "content_length_list": f"{POST}Host: x\r\nContent-Length: 5, 5\r\n\r\nabcde{SMUGGLED}",
    "content_length_plus": f"{POST}Host: x\r\nContent-Length: +5\r\n\r\nabcde{SMUGGLED}",
    "content_length_with_letters": f"{POST}Host: x\r\nContent-Length: 5abc\r\n\r\nabcde{SMUGGLED}",
    "content_length_negative": f"{POST}Host: x\r\nContent-Length: -1\r\n\r\nabcde{SMUGGLED}",
    "content_length_huge": f"{POST}Host: x\r\nContent-Length: 99999999999999999999999\r\n\r\nabcde{SMUGGLED}",
    "content_length_empty": f"{POST}Host: x\r\nContent-Length: \r\n\r\n{SMUGGLED}",
    "two_transfer_encodings": f"{POST}Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "unknown_transfer_encoding": f"{POST}Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "gzip_and_chunked": f"{POST}Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "identity": f"{POST}Host: x\r\nTransfer-Encoding: identity\r\n\r\n{SMUGGLED}",
    "chunked_with_trailing_blank": f"{POST}Host: x\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n{SMUGGLED}",
    "chunked_with_vertical_tab": f"{POST}Host: x\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "chunked_in_http_1_0": f"POST /v1/logins HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "bad_chunk_size": f"{POST}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n{SMUGGLED}",
    "chunk_size_overflow": f"{POST}Host: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabcde\r\n0\r\n\r\n{SMUGGLED}",
    "negative_chunk_size": f"{POST}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabcde\r\n0\r\n\r\n{SMUGGLED}",
    "bare_line_feed_in_the_request_line": f"GET /healthz HTTP/1.1\nHost: x\r\n\r\n{SMUGGLED}",
    "bare_line_feed_after_a_header": f"GET /healthz HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n{SMUGGLED}",
    "bare_line_feed_after_the_last_header": f"GET /healthz HTTP/1.1\r\nHost: x\n\r\n{SMUGGLED}",
    "bare_line_feed_as_the_empty_line": f"GET /healthz HTTP/1.1\r\nHost: x\r\n\n{SMUGGLED}",
    "bare_line_feeds_everywhere": f"GET /healthz HTTP/1.1\nHost: x\n\n{SMUGGLED}",
    "bare_carriage_return": f"GET /healthz HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n{SMUGGLED}",
    "blank_before_the_colon": f"GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n{SMUGGLED}",
    "blank_before_another_colon": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n{SMUGGLED}",
    "tab_before_the_colon": f"{POST}Host: x\r\nContent-Length\t: 5\r\n\r\nabcde{SMUGGLED}",
    "folded_header": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n{SMUGGLED}",
    "folded_last_header": f"{POST}Host: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n{SMUGGLED}",
    "folded_first_header": f"GET /healthz HTTP/1.1\r\n X-A: b\r\nHost: x\r\n\r\n{SMUGGLED}",
    "nul_in_a_value": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n{SMUGGLED}",
    "nul_in_the_last_value": f"GET /healthz HTTP/1.1\r\nX-A: b\r\nHost: x\0y\r\n\r\n{SMUGGLED}",
    "nul_in_a_name": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-\0A: b\r\n\r\n{SMUGGLED}",
    "nul_at_the_beginning_of_a_line": f"GET /healthz HTTP/1.1\r\nHost: x\r\n\0X-A: b\r\n\r\n{SMUGGLED}",
    "control_character_in_a_value": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\x01c\r\n\r\n{SMUGGLED}",
    "delete_in_a_value": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\x7fc\r\n\r\n{SMUGGLED}",
    "control_character_in_a_name": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX\x01A: b\r\n\r\n{SMUGGLED}",
    "line_without_a_colon": f"GET /healthz HTTP/1.1\r\nHost: x\r\nhello\r\n\r\n{SMUGGLED}",
    "empty_name": f"GET /healthz HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n{SMUGGLED}",
    "no_host": f"GET /healthz HTTP/1.1\r\nX-A: b\r\n\r\n{SMUGGLED}",
    "no_headers": f"GET /healthz HTTP/1.1\r\n\r\n{SMUGGLED}",
    "two_hosts": f"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n{SMUGGLED}",
    "host_with_a_blank": f"GET /healthz HTTP/1.1\r\nHost: x y\r\n\r\n{SMUGGLED}",
    "host_with_a_path": f"GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n{SMUGGLED}",
    "lower_case_method": f"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "method_with_digits": f"G3T /healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "two_blanks_before_the_target": f"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "two_blanks_after_the_target": f"GET /healthz  HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "blank_at_the_end_of_the_line": f"GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n{SMUGGLED}",
    "blank_in_the_target": f"GET /health z HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "http_1_9": f"GET /healthz HTTP/1.9\r\nHost: x\r\n\r\n{SMUGGLED}",
    "http_2_0": f"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n{SMUGGLED}",
    "http_0_9": f"GET /healthz\r\n\r\n{SMUGGLED}",
    "lower_case_version": f"GET /healthz http/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "unknown_expectation": f"GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n\r\n{SMUGGLED}",
    "nul_escaped_in_the_path": f"GET /healthz%00b HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "nul_escaped_in_the_query": f"GET /healthz?a=%00 HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "slash_escaped": f"GET /v1%2Fgames HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "slash_escaped_in_lower_case": f"GET /v1%2fgames HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "backslash_escaped": f"GET /v1%5Cgames HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "backslash": f"GET /v1\\games HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "two_slashes": f"GET //healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "two_dots": f"GET /v1/../healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "bad_escape": f"GET /healthz%zz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "cut_escape": f"GET /healthz?a=%2 HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "fragment": f"GET /healthz#a HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "absolute_target": f"GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "no_slash": f"GET healthz HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "star_for_get": f"GET * HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "too_many_headers": "GET /healthz HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n" * 70 + f"\r\n{SMUGGLED}",
    "too_long_a_target": f"GET /{'a' * 9000} HTTP/1.1\r\nHost: x\r\n\r\n{SMUGGLED}",
    "too_long_a_header": f"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: {'a' * 9000}\r\n\r\n{SMUGGLED}",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_doubtful_shape_is_refused_and_its_connection_ends(server, name):
    data = REFUSED[name].encode("latin-1")
    statuses, said = exchange(server.port, data)
    assert statuses, said
    assert all(400 <= status < 500 or status == 505 for status in statuses), said
    assert b'"ok"' not in said, said


@pytest.mark.parametrize("byte", [0x01, 0x09, 0x1F, 0x7F, 0x80, 0xC3, 0xFF])
def test_a_target_of_other_than_visible_ascii_is_refused(server, byte):
    statuses, said = exchange(server.port, b"GET /a" + bytes([byte]) + b" HTTP/1.1\r\nHost: x\r\n\r\n" + SMUGGLED.encode())
    assert statuses == [400], said


def test_a_doubtful_shape_names_its_fault(server):
    with Wire(server.port) as wire:
        status, headers, body = wire.send(REFUSED["two_content_lengths"]).answer()
    assert status == 400 and headers["connection"] == "close"
    assert headers["content-type"] == "application/problem+json"
    assert b'"fault":"content-length-twice"' in body


GOOD = {
    "plain": "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "no_blank_after_the_colon": "GET /healthz HTTP/1.1\r\nHost:x\r\n\r\n",
    "tab_and_blanks_around_a_value": "GET /healthz HTTP/1.1\r\nHost:  x\r\nX-A:\t \tb \t\r\n\r\n",
    "empty_value": "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A:\r\n\r\n",
    "empty_value_last_with_blanks": "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A:   \r\n\r\n",
    "latin_1_in_a_value": "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: caf\xe9\r\n\r\n",
    "colons_in_a_value": "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\nX-A: a:b::c\r\n\r\n",
    "query": "GET /healthz?a=1&b=%C3%A4%2F..%2F&c=a..b//c HTTP/1.1\r\nHost: x\r\n\r\n",
    "cookies": "GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=d\r\nCookie: e\r\n\r\n",
    "empty_line_in_front": "\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "body_of_a_get": "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde",
    "head_of_5_kilobytes": "GET /healthz HTTP/1.1\r\nHost: x\r\n" + f"X-A: {'a' * 1000}\r\n" * 5 + "\r\n",
    "many_headers": "GET /healthz HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n" * 60 + "\r\n",
}


@pytest.mark.parametrize("name", GOOD)
def test_a_clean_shape_is_answered_and_its_connection_kept(server, name):
    data = GOOD[name].encode("latin-1")
    with Wire(server.port) as wire:
        for _ in range(3):
            status, _, body = wire.send(data).answer()
            assert status == 200, body
        assert wire.is_open()


@pytest.mark.parametrize("name", GOOD)
def test_a_clean_shape_may_come_byte_by_byte(server, name):
    data = GOOD[name].encode("latin-1")
    with Wire(server.port) as wire:
        for place in range(len(data)):
            wire.send(data[place : place + 1])
        assert wire.answer()[0] == 200


def test_a_doubtful_shape_is_refused_behind_a_clean_one(server):
    statuses, said = exchange(server.port, GOOD["plain"] + REFUSED["nul_in_a_value"])
    assert statuses == [200, 400], said


def test_http_1_0_needs_no_host_and_closes(server):
    statuses, _ = exchange(server.port, "GET /healthz HTTP/1.0\r\n\r\n")
    assert statuses == [200]
    with Wire(server.port) as wire:
        status, headers, _ = wire.send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").answer()
        assert status == 200 and headers["connection"].lower() == "keep-alive"


CHUNKED = {
    "clean": "5\r\nabcde\r\n0\r\n\r\n",
    "extension": "5;a=b\r\nabcde\r\n0\r\n\r\n",
    "trailer": "5\r\nabcde\r\n0\r\nX-A: b\r\n\r\n",
    "trailer_that_frames": "5\r\nabcde\r\n0\r\nContent-Length: 50\r\n\r\n",
    "bare_line_feeds": "5\nabcde\n0\n\n",
    "bare_line_feed_at_the_end": "5\r\nabcde\r\n0\r\n\n",
    "bare_line_feed_in_an_extension": "5;a\nb\r\nabcde\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", CHUNKED)
def test_nothing_behind_a_chunked_body_is_read(server, name):
    head = "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
    statuses, said = exchange(server.port, head + CHUNKED[name] + SMUGGLED)
    assert len(statuses) == 1 and said.count(b'"ok"') <= 1, said


def test_a_tls_hello_ends_the_connection(server):
    statuses, said = exchange(server.port, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
    assert (statuses, said) == ([], b"")
