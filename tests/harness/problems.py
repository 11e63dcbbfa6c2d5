"""What tests ask of an answer that refuses."""


def problem_of(response, status, kind):
    """The problem of an answer that must be one of this status and type."""
    assert response.status_code == status, f"{response.status_code} {response.text}"
    assert response.headers["Content-Type"].startswith("application/problem+json")
    problem = response.json()
    assert problem["type"].endswith("/" + kind), problem
    assert problem["status"] == status
    assert problem["title"]
    return problem
