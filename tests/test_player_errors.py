"""An illegal play that a player really made is reported once, and never explained away."""

import pytest

from tests.player_errors import ALL_KINDS, find_errors, has_proof, make_match_files, stands


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_what_a_player_did_is_not_put_down_to_the_transcriber(kind: str) -> None:
    played = list(make_match_files(kind, seed=7, count=2))
    assert len(played) == 2
    for record in played:
        [error] = find_errors(record)
        assert error.evidence is not None
        assert error.evidence.by == ()
        assert error.may_be_players
        assert stands(error)
        assert error.proposals == ()
        assert error.if_slip is not None
        assert not has_proof(record)
