"""Vectors that tell cards apart: a softmax over all named cards of training, with a margin.

Wang et al. 2018, "CosFace": the cosine between a view's vector and its card's own direction must beat those of all
other cards by a margin. Decks that training never saw are then told apart by the same vectors.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .cards import SINGLE, Card, index_of
from .net import HEIGHT, SUITS, VECTOR, WIDTH, normalise
from .net import MARGIN as RIM

SCALE, MARGIN = 20.0, 0.2


class Identities(nn.Module):
    """One direction for every named card.

    The deck of a single crop is unknown: it may show the very card that another name stands for. So a view is never
    pushed away from a crop of the same rank and suit, nor a crop from any card of its rank and suit.
    """

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.directions = nn.Parameter(torch.randn(len(names), VECTOR) / VECTOR**0.5)
        self.register_buffer("card", torch.tensor([_card(n) for n in names]))
        self.register_buffer("single", torch.tensor([n.startswith(SINGLE + "/") for n in names]))

    @torch.no_grad()
    def start(self, net: nn.Module, cards: list[Card]) -> None:
        """Directions that begin at the net's own vector of each card, laid straight on a plain ground."""
        net.eval()
        for i in range(0, len(cards), 64):
            part = cards[i : i + 64]
            _, vectors = net(normalise(np.stack([_plain(c) for c in part])))
            self.directions[torch.tensor([c.identity for c in part])] = vectors
        net.train()

    def forward(self, vectors: Tensor, identity: Tensor) -> Tensor:
        """Mean loss over the views whose identity is known (others: -1); vectors (n, 128) of unit length."""
        known = identity >= 0
        if not bool(known.any()):
            return vectors.sum() * 0
        own = identity[known]
        cosines = vectors[known] @ F.normalize(self.directions).T
        mine = torch.zeros_like(cosines, dtype=torch.bool).scatter_(1, own[:, None], True)
        card, single = self.card[own][:, None], self.single[own][:, None]  # type: ignore[index]
        same = (card >= 0) & (card == self.card) & (single | self.single) & ~mine  # type: ignore[operator]
        logits = SCALE * (cosines - MARGIN * mine.float())
        return F.cross_entropy(logits.masked_fill(same, -1e4), own)


def _plain(card: Card) -> np.ndarray:
    """A card as its crop would show it in the best of lights, (144, 96, 3)."""
    crop = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    rim_x, rim_y = round(RIM * WIDTH), round(RIM * HEIGHT)
    size = (WIDTH - 2 * rim_x, HEIGHT - 2 * rim_y)
    crop[rim_y : HEIGHT - rim_y, rim_x : WIDTH - rim_x] = cv2.resize(
        card.image[..., :3], size, interpolation=cv2.INTER_AREA
    )
    return crop


def _card(name: str) -> int:
    """Rank and suit of a French card as one number, -1 for all others."""
    deck, card = name.split("/")[:2]
    index = None if deck.startswith(("spanish", "numbered")) else index_of(card)
    return -1 if index is None or index[1] < 0 else index[0] * len(SUITS) + index[1]
