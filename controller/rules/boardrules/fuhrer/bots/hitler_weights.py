"""How Hitler weighs what he sees, as a level says."""

from __future__ import annotations

from typing import Final, NamedTuple

from boardrules.fuhrer.ends import MAX_ROUNDS

LATE_GAME_ROUNDS: Final = 6
"""In so many rounds from the end what may help later loses its worth."""


class HitlerWeights(NamedTuple):
    """Worths are in chances to be caught."""

    belief_samples: int = 1
    """How many ways the Allies may think he looks through."""
    position_samples: int = 3
    """How many places where the Allies may then stand he goes on from."""
    infantry_distance: float = 0.003
    """What a link more between him and Infantry is worth ..."""
    spy_distance: float = 0.0015
    """... and between him and the Spy."""
    onward_cities: float = 0.007
    """What it is worth to have e times as many cities to go to."""
    token_cost: float = 0.7
    """What it costs that the token will tell where he is, divided by the cities he can be in by then."""
    ticket_value: float = 0.03
    """What a ticket is worth that he keeps."""
    flag_cost: float = 0.2
    """What it costs to be where a flag holds him ..."""
    tank_city_cost: float = 0.12
    """... and where the Tank may raise one by staying."""
    plain_share: float = 0.45
    """How much he reckons at first with Allies who play plainly, beside those who weigh ..."""
    random_share: float = 0.2
    """... with those who go anywhere ..."""
    runner_share: float = 0.15
    """... and with those who run to where the token lies: he makes up his mind by what they do
    (`opponent_model`)."""
    round_discount: float = 0.9
    """What the danger of a round counts beside that of the round before ..."""
    rounds_ahead: int = 4
    """... and how many of them he looks ahead ..."""
    ways_per_city: int = 2
    """... along how many ways from each city."""
    found_cost: float = 0.12
    """What it costs to be found and not caught, in later rounds."""
    choice_temperature: float = 0.002
    """How much worse a choice may be and still be taken a third of the time: who always does what is best is
    expected there."""

    @property
    def weighing_share(self) -> float:
        """How much he reckons with Allies who weigh what they believe."""
        return 1 - self.plain_share - self.random_share - self.runner_share

    @property
    def expects_runners(self) -> bool:
        """Whether they more likely run to the token than to the middle of where he may be."""
        return self.runner_share > self.plain_share

    @staticmethod
    def late_game_factor(now: int) -> float:
        """How much what may help later still counts: in the last rounds less and less."""
        return min(1.0, (MAX_ROUNDS - now) / LATE_GAME_ROUNDS)
