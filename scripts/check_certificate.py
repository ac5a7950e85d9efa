#!/usr/bin/env python3
"""Checks certificates of Klondike verdicts, from docs/certificate.md alone.

The second checker of this project: slow, short, standard library only, and written from the
document, not from the program. Usage: check_certificate.py [--max-entries N] FILE...
Prints for each file what it proves, and about which deal, or what is wrong with it; exit status 0 if all are verified, 1 if not, 2 on a wrong command line.
"""

import argparse
import copy
import sys
import zlib

MARK = b"\x89KCERT\r\n"
SUITS, RANKS = "CDHS", "A23456789TJQK"


class Wrong(Exception):
    """Why a certificate proves nothing."""


# --- Cards are numbers (section 3), sets of cards are integers with a bit for each card. -------


def number_of(suit, rank):
    red = suit in (1, 2)
    return 4 * (rank - 1) + 2 * (red != (rank % 2 == 0)) + (suit >= 2)


SUIT, RANK = [0] * 52, [0] * 52
for _suit in range(4):
    for _rank in range(1, 14):
        SUIT[number_of(_suit, _rank)] = _suit
        RANK[number_of(_suit, _rank)] = _rank
ALL = (1 << 52) - 1
FIRST_OF_TWINS = 0x5555555555555


def cards(card_set):
    """The cards of a set, lowest first."""
    while card_set:
        low = card_set & -card_set
        yield low.bit_length() - 1
        card_set ^= low


def size(card_set):
    return bin(card_set).count("1")


def with_twins(card_set):
    low = (card_set | card_set >> 1) & FIRST_OF_TWINS
    return low | low << 1


def pairs(card_set):
    """The cards of the set whose twins are in it, too."""
    low = card_set & card_set >> 1 & FIRST_OF_TWINS
    return low | low << 1


def parents(card_set):
    return with_twins(card_set) << 4 & ALL


def children(card_set):
    return with_twins(card_set) >> 4


# --- The file (section 1) ---------------------------------------------------------------------


class Reader:
    def __init__(self, file):
        if file.read(len(MARK)) != MARK:
            raise Wrong("not a certificate file")
        version = file.read(1)
        if version not in (b"\x01", b"\x02", b"\x03", b"\x04", b"\x05", b"\x06", b"\x07"):
            raise Wrong("unknown version")
        self.version = version[0]
        self.file, self.zlib = file, zlib.decompressobj()
        self.plain, self.at = b"", 0

    def more(self):
        """Makes sure that there is a byte; false at the end of the stream."""
        while self.at == len(self.plain):
            if self.zlib.eof:
                return False
            packed = self.zlib.unconsumed_tail or self.file.read(1 << 16)
            try:
                self.plain, self.at = self.zlib.decompress(packed, 1 << 16), 0
            except zlib.error as error:
                raise Wrong("the compressed data are damaged") from error
            if not packed and not self.plain and not self.zlib.eof:
                raise Wrong("the file ends too early")
        return True

    def byte(self):
        if not self.more():
            raise Wrong("the certificate ends too early")
        self.at += 1
        return self.plain[self.at - 1]

    def byte_in(self, low, high, what):
        value = self.byte()
        if not low <= value <= high:
            raise Wrong(f"{value} is no {what}")
        return value

    def u32(self):
        return sum(self.byte() << shift for shift in (0, 8, 16, 24))

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if value >= 1 << 64 or (byte == 0 and shift):
                raise Wrong("a number is too long")
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise Wrong("a number is too long")

    def cards(self, count):
        result = []
        for _ in range(count):
            byte = self.byte()
            if byte >> 4 > 3 or not 1 <= byte & 15 <= 13:
                raise Wrong(f"{byte} is no card")
            result.append(number_of(byte >> 4, byte & 15))
        return result

    def finish(self):
        if self.more() or self.zlib.unused_data or self.file.read(1):
            raise Wrong("bytes follow the end of the certificate")


class Header:
    def __init__(self, reader):
        self.claim = reader.byte_in(1, (3, 4, 5, 5, 6, 7, 8)[reader.version - 1], "claim")
        self.suits = reader.byte_in(1, 4, "number of suits")
        self.ranks = reader.byte_in(1, 13, "number of ranks")
        pile_count = reader.byte_in(1, 13, "number of piles")
        self.layout = [reader.byte() for _ in range(pile_count)]
        self.deck = 0
        for suit in range(self.suits):
            for rank in range(1, self.ranks + 1):
                self.deck |= 1 << number_of(suit, rank)
        if sum(self.layout) > self.suits * self.ranks:
            raise Wrong("the piles need more cards than the deck has")
        self.draw = reader.byte_in(1, 24, "draw count")
        self.redeals = reader.u32() if reader.byte_in(0, 1, "kind of redeals") else None
        self.worrying_back = reader.byte_in(0, 1, "answer to worrying back")
        self.runs = reader.byte_in(0, 2, "kind of runs")
        self.spaces = reader.byte_in(0, 2, "kind of spaces")
        self.foundations = [reader.byte() for _ in range(4)]
        self.piles, self.face_down = [], []
        for _ in range(pile_count):
            down = reader.byte()
            up = reader.byte()
            self.face_down.append(down)
            self.piles.append(reader.cards(down + up))
        self.stock = reader.cards(reader.byte())
        self.waste = reader.cards(reader.byte())
        self.redeals_used = reader.u32()
        self.pending = reader.byte_in(0, pile_count, "pile") - 1
        self.check()

    def check(self):
        found = sum(self.piles, []) + self.stock + self.waste
        for suit, height in enumerate(self.foundations):
            if height > (self.ranks if suit < self.suits else 0):
                raise Wrong("a foundation holds too many cards")
            found += [number_of(suit, rank) for rank in range(1, height + 1)]
        if len(set(found)) != len(found) or sum(1 << card for card in found) != self.deck:
            raise Wrong("the cards are not those of the deck")
        for pile, down in zip(self.piles, self.face_down):
            if pile and down == len(pile):
                raise Wrong("a pile has no face-up card")
            for lower, upper in zip(pile[down:], pile[down + 1 :]):
                if not children(1 << lower) >> upper & 1:
                    raise Wrong("face-up cards are no run")
        if self.redeals_used > (10**9 if self.redeals is None else self.redeals):
            raise Wrong("too many redeals used")
        if self.pending >= 0:
            pile = self.piles[self.pending]
            if self.runs != 2 or not pile or not self.fits(pile[-1], self.foundations):
                raise Wrong("no double move can be pending")

    @staticmethod
    def fits(card, foundations):
        return foundations[SUIT[card]] + 1 == RANK[card]

    def describe(self):
        fresh = not any(self.foundations) and not self.waste and not self.redeals_used
        fresh = fresh and [len(pile) for pile in self.piles] == self.layout
        fresh = fresh and all(d == max(len(p) - 1, 0) for p, d in zip(self.piles, self.face_down))
        return "{} suits, {} ranks, piles {}, draw {}, redeals {}, worrying back {}, runs {}, spaces {}; {}".format(
            self.suits, self.ranks, ",".join(map(str, self.layout)), self.draw,
            "unlimited" if self.redeals is None else self.redeals,
            ("no", "yes")[self.worrying_back], ("partial", "whole", "partial-if-played")[self.runs],
            ("kings", "any", "nothing")[self.spaces], "fresh deal" if fresh else "mid-game",
        )

    def position(self):
        """The lines of the position, as `klondike deal --to klondike` writes them."""
        names = lambda cards: [RANKS[RANK[card] - 1] + SUITS[SUIT[card]] for card in cards]
        if self.redeals_used:
            yield f"redeals: {self.redeals_used}"
        if self.pending >= 0:
            yield f"double move: {self.pending + 1}"
        tops = [f"{suit}{top}" for suit, top in zip(SUITS[: self.suits], self.foundations)]
        lines = [("foundations", tops), ("waste", names(self.waste)), ("stock", names(self.stock))]
        for number, (pile, down) in enumerate(zip(self.piles, self.face_down), 1):
            hidden = [f"<{name}>" for name in names(pile[:down])]
            lines.append((number, hidden + names(pile[down:])))
        for key, words in lines:
            yield f"{key}: {' '.join(words)}".rstrip()


# --- Winnable (section 2) ---------------------------------------------------------------------


def replay(header, reader, max_entries):
    piles = [list(pile) for pile in header.piles]
    down, up = list(header.face_down), list(header.foundations)
    stock, waste = header.stock[::-1], list(header.waste)
    redeals_used, pending = header.redeals_used, header.pending
    count = reader.number()
    if count > max_entries:
        raise Wrong(f"more than {max_entries} entries")

    def need(condition, why):
        if not condition:
            raise Wrong(f"move {move}: {why}")

    def pile_number():
        return reader.byte_in(0, 12, "pile")

    def place(card, to):
        need(to < len(piles), "no such pile")
        if piles[to]:
            need(children(1 << piles[to][-1]) >> card & 1, "the card does not fit")
        else:
            need(header.spaces == 1 or (header.spaces == 0 and RANK[card] == header.ranks), "the empty pile does not take it")
        piles[to].append(card)

    def raise_card(card):
        need(header.fits(card, up), "the foundation does not take it")
        up[SUIT[card]] += 1

    def turn(pile):
        if piles[pile] and down[pile] == len(piles[pile]):
            down[pile] -= 1

    for move in range(1, count + 1):
        code = reader.byte_in(0, 6, "kind of move")
        was_pending, pending = pending, -1
        need(was_pending < 0 or code == 4, "the double move must be finished")
        if code == 0:
            need(stock, "the stock is empty")
            for _ in range(min(header.draw, len(stock))):
                waste.append(stock.pop())
        elif code == 1:
            need(not stock and waste, "no redeal now")
            need(header.redeals is None or redeals_used < header.redeals, "no redeal is left")
            redeals_used += 1
            stock, waste = waste[::-1], []
        elif code in (2, 3):
            to = pile_number() if code == 3 else None
            need(waste, "the waste is empty")
            card = waste.pop()
            raise_card(card) if code == 2 else place(card, to)
        elif code == 4:
            pile = pile_number()
            need(was_pending in (-1, pile), "the double move must be finished")
            need(pile < len(piles) and piles[pile], "no card there")
            raise_card(piles[pile].pop())
            turn(pile)
        elif code == 5:
            source, to, size = pile_number(), pile_number(), reader.byte()
            need(source < len(piles) and source != to, "no such move")
            face_up = len(piles[source]) - down[source]
            need(1 <= size <= face_up, "not so many cards there")
            if size < face_up:
                need(header.runs != 1, "runs move as a whole")
                if header.runs == 2:
                    need(header.fits(piles[source][-size - 1], up), "the card uncovered cannot go up")
                    pending = source
            run = piles[source][-size:]
            place(run[0], to)
            piles[to].extend(run[1:])
            del piles[source][-size:]
            turn(source)
        else:
            suit, to = reader.byte_in(0, 3, "suit"), pile_number()
            need(header.worrying_back, "no worrying back")
            need(up[suit] > 0, "the foundation is empty")
            place(number_of(suit, up[suit]), to)
            up[suit] -= 1
    if sum(up) != header.suits * header.ranks:
        raise Wrong("the game is not won after the last move")
    return count


# --- Positions (section 3): (n of every pile, f of every suit, T, w) -----------------------------


class Game:
    def __init__(self, header):
        self.draw, self.deck, self.ranks = header.draw, header.deck, header.ranks
        self.suits = range(header.suits)
        self.worrying_back = header.worrying_back
        self.kings = sum(1 << number_of(suit, header.ranks) for suit in self.suits)
        self.entering = 0 if header.spaces == 2 else self.kings
        self.dealt = []
        for pile, down in zip(header.piles, header.face_down):
            base_king = pile and down == 0 and self.kings >> pile[0] & 1
            self.dealt.append([] if base_king else pile[: down + 1])
        self.pile_of = {card: i for i, pile in enumerate(self.dealt) for card in pile}
        self.talon = header.waste + header.stock
        self.place_of = {card: place for place, card in enumerate(self.talon)}
        # up[s][h]: the h lowest cards of a suit; under[i][n]: the first n - 1 cards of a pile.
        self.up = [[sum(1 << number_of(s, r) for r in range(1, h + 1)) for h in range(14)] for s in range(4)]
        self.under = [[sum(1 << c for c in pile[: max(n - 1, 0)]) for n in range(len(pile) + 1)] for pile in self.dealt]
        room = (len(self.talon) + 1) << len(self.talon)
        for pile in self.dealt:
            room *= len(pile) + 1
        self.room = room * (self.ranks + 1) ** len(self.suits)
        if self.room >= 1 << 64:
            raise Wrong("the game has too many positions")
        everything = sum(1 << card for card in self.talon)
        self.first = self.pure(tuple(map(len, self.dealt)), tuple(header.foundations), everything, len(header.waste))

    def pure(self, n, f, talon, w):
        if w % self.draw == 0 or w == size(talon):
            w = 0
        return n, f, talon, w

    def number(self, position, with_waste):
        n, f, talon, w = position
        result = 0
        for pile, count in zip(self.dealt, n):
            result = result * (len(pile) + 1) + count
        for suit in self.suits:
            result = result * (self.ranks + 1) + f[suit]
        result <<= len(self.talon)
        for card in cards(talon):
            result += 1 << self.place_of[card]
        return result * (len(self.talon) + 1) + w if with_waste else result

    def position(self, number, with_waste):
        rest, w = divmod(number, len(self.talon) + 1) if with_waste else (number, 0)
        talon = sum(1 << card for k, card in enumerate(self.talon) if rest >> k & 1)
        rest >>= len(self.talon)
        f, n = [0] * 4, []
        for suit in reversed(self.suits):
            rest, f[suit] = divmod(rest, self.ranks + 1)
        for pile in reversed(self.dealt):
            rest, count = divmod(rest, len(pile) + 1)
            n.insert(0, count)
        up = sum(self.up[suit][f[suit]] for suit in self.suits)
        elsewhere = talon
        for pile, count in zip(self.dealt, n):
            elsewhere |= sum(1 << card for card in pile[:count])
            if count == 1 and self.kings >> pile[0] & 1:
                raise Wrong(f"no position has number {number}")
        position = tuple(n), tuple(f), talon, w
        if rest or up & elsewhere or w > size(talon) or self.pure(*position) != position:
            raise Wrong(f"no position has number {number}")
        return position


class View:
    """Section 3.3."""

    def __init__(self, game, position):
        n, f, talon, _ = position
        self.up = self.next_up = self.back = 0
        for suit in game.suits:
            self.up |= game.up[suit][f[suit]]
            if f[suit] < game.ranks:
                self.next_up |= 1 << number_of(suit, f[suit] + 1)
            if game.worrying_back and f[suit]:
                self.back |= 1 << number_of(suit, f[suit])
        hidden = self.anchored = 0
        for pile, under, count in zip(game.dealt, game.under, n):
            hidden |= under[count]
            if count:
                self.anchored |= 1 << pile[count - 1]
        self.visible = game.deck & ~(self.up | hidden | talon)
        self.free = self.visible & ~self.anchored
        some = with_twins(self.visible) & ~parents(self.free)
        two = pairs(self.visible) & ~parents(pairs(self.free))
        self.available = some | two
        heads = self.anchored | self.visible & game.kings
        self.empty_columns = max(len(game.dealt) - size(heads), 0)
        on_cards = self.free & ~game.kings
        self.can_lie = (
            size(heads) <= len(game.dealt)
            and not parents(on_cards) & ~with_twins(self.visible)
            and not parents(pairs(on_cards)) & ~pairs(self.visible)
        )
        self.places = children(self.available) | (game.entering if self.empty_columns else 0)


def is_safe(game, f, card):
    own, other = (0, 3), (1, 2)
    if SUIT[card] in other:
        own, other = other, own
    x = min((f[suit] for suit in own if suit in game.suits), default=99)
    y = min((f[suit] for suit in other if suit in game.suits), default=99)
    return RANK[card] <= y + 2 and RANK[card] <= x + 3


def drawable(game, position):
    """The cards that can be drawn, and those that can be drawn in the pass."""
    _, _, talon, w = position
    if game.draw == 1:
        return talon, talon
    reach = in_pass = j = 0
    last = size(talon)
    for card in game.talon:
        if talon >> card & 1:
            j += 1
            if j == last or (j >= max(w, 1) and (j - w) % game.draw == 0):
                in_pass |= 1 << card
            if j % game.draw == 0:
                reach |= 1 << card
    return reach | in_pass, in_pass


# --- Moves (section 3.4) -------------------------------------------------------------------------


def raised(f, suit, by):
    return f[:suit] + (f[suit] + by,) + f[suit + 1 :]


def leave(game, position, card):
    n, f, talon, w = position
    pile = game.pile_of[card]
    count = n[pile] - 1
    if count == 1 and game.kings >> game.dealt[pile][0] & 1:
        count = 0
    return n[:pile] + (count,) + n[pile + 1 :], f, talon, w


def stack(game, position, anchored, card):
    if anchored >> card & 1:
        position = leave(game, position, card)
    n, f, talon, w = position
    return n, raised(f, SUIT[card], 1), talon, w


def come_back(position, card):
    n, f, talon, w = position
    return n, raised(f, SUIT[card], -1), talon, w


def draw(game, position, card, to_foundation):
    n, f, talon, _ = position
    talon &= ~(1 << card)
    before = sum(talon >> other & 1 for other in game.talon[: game.place_of[card]])
    return game.pure(n, raised(f, SUIT[card], 1) if to_foundation else f, talon, before)


# --- Lost positions (section 4) ----------------------------------------------------------------


def safe_card(game, f, card_set):
    for card in cards(card_set):
        if is_safe(game, f, card):
            return card
    return None


def after_safe_stack(game, position, view):
    """The position after the lowest safe card of the tableau went up; None if there is none."""
    card = safe_card(game, position[1], view.visible & view.available & view.next_up)
    return None if card is None else stack(game, position, view.anchored, card)


def closed_in_draw_1(game, position):
    while True:
        view = View(game, position)
        stacked = after_safe_stack(game, position, view)
        if stacked is not None:
            position = stacked
            continue
        card = safe_card(game, position[1], position[2] & view.next_up)
        if card is None:
            return position, view
        position = draw(game, position, card, True)


def last_safe(game, position, view):
    """The last card of the talon if it is next up and safe."""
    for card in reversed(game.talon):
        if position[2] >> card & 1:
            if view.next_up >> card & 1 and is_safe(game, position[1], card):
                return card
            return None
    return None


def at_rest(game, position):
    while True:
        view = View(game, position)
        stacked = after_safe_stack(game, position, view)
        if stacked is not None:
            position = stacked
            continue
        card = last_safe(game, position, view)
        if card is None or position[3] != 0:
            return position, view
        position = draw(game, position, card, True)


def lowest_missing(game, position, suit):
    """The lowest card neither up nor in the talon, and the position with those below it up."""
    while position[1][suit] < game.ranks:
        card = number_of(suit, position[1][suit] + 1)
        if not position[2] >> card & 1:
            return card, position
        position = draw(game, position, card, True)
    return None, position


def draw_1_results(game, position):
    """Section 4.4."""
    view = View(game, position)
    for card in cards(view.anchored & view.places):
        yield leave(game, position, card)
    for card in cards(view.back & view.places):
        yield come_back(position, card)
    for suit in game.suits:
        card, fetched = lowest_missing(game, position, suit)
        if card is not None and view.visible & view.available & 1 << card:
            yield stack(game, fetched, view.anchored, card)
    for card in cards(position[2] & view.places):
        yield from drawn_results(game, position, view, card)


def drawn_results(game, position, view, drawn):
    if view.available >> drawn & 1:
        return
    position = draw(game, position, drawn, False)
    below = children(1 << drawn)
    for card in cards(view.anchored & below):
        yield leave(game, position, card)
    for card in cards(view.back & below):
        yield come_back(position, card)
    twin = drawn ^ 1
    if view.visible >> twin & 1:
        card, fetched = lowest_missing(game, position, SUIT[twin])
        if card == twin:
            yield stack(game, fetched, view.anchored, twin)
    for card in cards(position[2] & below):
        yield from drawn_results(game, position, view, card)


def main_results(game, position):
    """Section 4.5."""
    view = View(game, position)
    for card in cards(view.anchored & view.places):
        yield leave(game, position, card)
    for card in cards(view.visible & view.available & view.next_up):
        yield stack(game, position, view.anchored, card)
    for card in cards(view.back & view.places):
        after = come_back(position, card)
        if not is_safe(game, after[1], card):
            yield after
    reach, in_pass = drawable(game, position)
    if last_safe(game, position, view) is not None:
        reach = in_pass
    for card in cards(reach & view.next_up):
        yield draw(game, position, card, True)
    for card in cards(reach & view.places):
        if not (view.next_up >> card & 1 and is_safe(game, position[1], card)):
            yield draw(game, position, card, False)


# --- Dead (section 5) ------------------------------------------------------------------------------


class Sets:
    """The sets while they grow."""

    def __init__(self, game, position, view):
        self.n = list(position[0])
        self.tab, self.unc, self.fnd = view.visible, view.visible & view.available, view.up
        self.roots, self.empty = view.anchored, view.empty_columns
        self.acc, self.down, self.down_seen = 0, view.back, 0
        self.next_up = view.next_up

    def snapshot(self):
        return self.tab, self.unc, self.fnd, self.roots, self.empty

    def grow_once(self, game, view, second=0, covers=(), never=0, out=0, under=()):
        """Steps 1 to 8."""
        # 1
        places = children(self.unc)
        if self.empty > 0:
            places |= game.entering & ~view.free & ~out
        places &= ~never
        if second:
            both_parents = children(pairs(self.tab))
            for card in cards(second & places & ~both_parents):
                if not self.fnd >> (card ^ 1) & 1:
                    places &= ~(1 << card)
        # 2
        new_up = self.next_up & (self.unc | self.acc) & ~never
        for card, cover in covers:
            if not self.fnd >> cover & 1 and not self.tab >> (card ^ 1) & 1:
                new_up &= ~(1 << card)
        for card, child in under:
            if not self.fnd >> child & 1:
                new_up &= ~(1 << card)
        for card in cards(new_up):
            self.next_up &= ~(1 << card)
            if RANK[card] < game.ranks:
                self.next_up |= 1 << number_of(SUIT[card], RANK[card] + 1)
        # 3
        while self.down & self.tab & ~self.down_seen:
            for card in cards(self.down & self.tab & ~self.down_seen):
                self.down_seen |= 1 << card
                if RANK[card] > 1:
                    self.down |= 1 << number_of(SUIT[card], RANK[card] - 1)
        # 4, 5, 6
        placed = (self.acc | self.down) & places
        self.fnd |= new_up
        self.tab |= placed
        self.unc |= placed
        self.unc |= parents(view.free & self.fnd) & self.tab
        self.empty += size(new_up & game.kings)
        # 7
        for card in cards(self.roots & (self.fnd | places)):
            self.roots &= ~(1 << card)
            pile = game.pile_of[card]
            self.n[pile] -= 1
            if self.n[pile] == 0:
                self.empty += 1
                continue
            below = 1 << game.dealt[pile][self.n[pile] - 1]
            self.tab |= below
            self.unc |= below
            if self.n[pile] > 1 or not below & game.kings:
                self.roots |= below
        # 8
        self.unc |= with_twins(self.unc) & self.tab


def stuck(game, position, view, whole_talon=False, second=0, covers=(), never=0, out=0, under=()):
    """Where the sets end: Fnd, Roots | Acc, E. None if everything goes up."""
    sets = Sets(game, position, view)
    sets.acc = position[2] if whole_talon else drawable(game, position)[0]
    order = [card for card in game.talon if position[2] >> card & 1]
    while True:
        if max(sets.n) <= 1:
            return None
        before = sets.snapshot(), sets.acc
        sets.grow_once(game, view, second, covers, never, out, under)
        # 9
        if game.draw != 1 and not whole_talon:
            gone, gone_before = sets.acc & (sets.tab | sets.fnd), 0
            for i, card in enumerate(order):
                if gone_before >= (i + 1) % game.draw:
                    sets.acc |= 1 << card
                if gone >> card & 1:
                    gone_before += 1
                    if i > 0:
                        sets.acc |= 1 << order[i - 1]
        if sets.fnd == game.deck:
            return None
        if before == (sets.snapshot(), sets.acc):
            return sets.fnd, sets.roots | sets.acc, sets.empty


def undecided_pairs(game, view):
    """The lower cards of the pairs."""
    return list(cards(pairs(game.deck & ~(view.free | view.up | game.kings)) & FIRST_OF_TWINS))


def is_dead(game, position, view, whole_talon, under=()):
    def ask(second):
        return stuck(game, position, view, whole_talon, second, under=under) is None

    if not ask(0):
        return True
    second = 0
    for first_twin in undecided_pairs(game, view):
        a, b = 1 << first_twin, 2 << first_twin
        with_a, with_b = ask(second | a), ask(second | b)
        if not with_a and not with_b:
            return True
        if not with_a:
            second |= b
        elif not with_b:
            second |= a
    return False


# --- Refuted (section 6) ---------------------------------------------------------------------------


class Refutation:
    def __init__(self, game, position):
        self.game, self.position, self.view = game, position, View(game, position)
        self.second, self.covers = 0, []

    def stuck(self, second=0, never=0, out=0):
        return stuck(self.game, self.position, self.view, False, self.second | second, self.covers, never, out)

    def order_twins(self):
        """False if that refutes the position."""
        learned = True
        while learned:
            learned = False
            for first_twin in undecided_pairs(self.game, self.view):
                a, b = 1 << first_twin, 2 << first_twin
                if self.second & (a | b):
                    continue
                with_a, with_b = self.stuck(second=a), self.stuck(second=b)
                if with_a and with_b:
                    return False
                if with_a or with_b:
                    self.second |= b if with_a else a
                    learned = True
        return True

    def find_covers(self):
        """Whether there is a new pair."""
        before = len(self.covers)
        elsewhere = self.view.free | self.view.up | self.game.kings
        for cover in cards(self.game.deck & ~elsewhere):
            end = self.stuck(never=1 << cover)
            if end:
                for parent in cards(parents(1 << cover) & self.game.deck & ~end[0]):
                    if (parent, cover) not in self.covers:
                        self.covers.append((parent, cover))
        return len(self.covers) > before

    def kings_fit(self, entered):
        needed = self.game.kings & ~(self.view.free | self.view.up)
        end = self.stuck(out=needed & ~entered)
        if not end or end[2] >= size(needed):
            return True
        if end[2] <= size(entered):
            return False
        return any(self.kings_fit(entered | 1 << king) for king in cards(needed & ~entered & end[1]))

    def succeeds(self):
        if not self.order_twins():
            return True
        for _ in range(3):
            if not self.find_covers():
                break
            if not self.order_twins():
                return True
        return bool(self.stuck()) or not self.kings_fit(0)


# --- Blocked and closed (section 4.3) -------------------------------------------------------------


class Closure:
    def __init__(self, game):
        self.game, self.draw_1, self.main, self.dead = game, set(), {}, set()
        self.entries = {}  # with claims 6 to 8: by n the visible cards and T of the entries

    def read_through_the_order(self, draw_1):
        for number in draw_1:
            position = self.game.position(number, False)
            view = View(self.game, position)
            if not view.can_lie:
                raise Wrong(f"no position has number {number}")
            self.entries.setdefault(position[0], []).append((view.visible, position[2]))

    def covers_in_draw_1(self, position, in_place=99):
        return self.in_draw_1_set(position, in_place) or self.remember(position, True)

    def in_draw_1_set(self, position, in_place=99):
        """`in_place` is the sum of n in the entry that the position comes of."""
        if self.game.number(position, False) in self.draw_1:
            return True
        position, view = closed_in_draw_1(self.game, position)
        number = self.game.number(position, False)
        if number in self.draw_1 or (number, -1) in self.dead:
            return True
        return self.is_below(position, view, sum(position[0]) < in_place)

    def is_below(self, position, view, fewer):
        for visible, talon in self.entries.get(position[0], ()):
            leave, arrive = visible & ~view.visible, view.visible & ~visible
            if position[2] & ~talon or arrive & self.game.kings & ~self.game.entering:
                continue
            from_talon = not arrive & ~talon
            if from_talon and not leave:
                return True
            if fewer and not with_twins(leave) & arrive and (from_talon or self.game.worrying_back):
                return True
        return False

    def remember(self, position, whole_talon):
        """Whether the position is dead, and if so remembers that."""
        close = closed_in_draw_1 if whole_talon else at_rest
        position, view = close(self.game, position)
        if not is_dead(self.game, position, view, whole_talon):
            return False
        w = -1 if whole_talon else position[3]
        self.dead.add((self.game.number(position, False), w))
        return True

    def is_dominated(self, position):
        number, w = self.game.number(position, False), position[3]
        return any(
            w == 0 or (other <= w and (w - other) % self.game.draw == 0)
            for other in self.main.get(number, ())
        )

    def covers(self, position):
        game = self.game
        if game.draw == 1:
            return self.covers_in_draw_1(position)
        if self.is_dominated(position):
            return True
        position, _ = at_rest(game, position)
        if self.is_dominated(position):
            return True
        number, w = game.number(position, False), position[3]
        # The order of these tests does not matter; the cheap ones come first.
        return (
            (number, w) in self.dead
            or self.in_draw_1_set(position)
            or self.remember(position, False)
            or self.remember(position, True)
        )


def read_set(reader, room):
    count = reader.number()
    if count > room:
        raise Wrong("too many entries")
    entries = []
    for _ in range(count):
        step = reader.number()
        if entries and step == 0:
            raise Wrong("the entries are not in increasing order")
        entries.append(step + (entries[-1] if entries else 0))
        if entries[-1] >= 1 << 64:
            raise Wrong("a number is too long")
    return entries


# --- Closed set with redeals (section 10): n, f, T, exact w; and r beside it --------------------------


def double_move_ended(header):
    """The header of the position after the card of a pending pile went up."""
    header = copy.deepcopy(header)
    if header.pending >= 0:
        pile = header.piles[header.pending]
        header.foundations[SUIT[pile.pop()]] += 1
        if pile and header.face_down[header.pending] == len(pile):
            header.face_down[header.pending] -= 1
    return header


class RedealGame:
    def __init__(self, header):
        header = double_move_ended(header)
        game = self.game = Game(header)
        everything = game.first[2]
        left = 10**10 if header.redeals is None else header.redeals - header.redeals_used
        self.most_left = min(left, size(everything))
        self.first = game.first[:3] + (len(header.waste),), self.most_left
        if game.room * (self.most_left + 1) >= 1 << 64:
            raise Wrong("the game has too many positions")

    def number(self, position, r):
        return self.game.number(position, True) * (self.most_left + 1) + r

    def position(self, number):
        rest, r = divmod(number, self.most_left + 1)
        rest, w = divmod(rest, len(self.game.talon) + 1)
        n, f, talon, _ = self.game.position(rest, False)
        if max(w, r) > size(talon):
            raise Wrong(f"no position has number {number}")
        return (n, f, talon, w), r

    def draw(self, position, card, up, r):
        n, f, talon, _ = position
        talon &= ~(1 << card)
        before = sum(talon >> other & 1 for other in self.game.talon[: self.game.place_of[card]])
        return (n, raised(f, SUIT[card], 1) if up else f, talon, before), min(r, size(talon))

    def row(self, talon):
        return [card for card in self.game.talon if talon >> card & 1]

    def at_rest(self, position, r):
        game = self.game
        while True:
            view = View(game, position)
            stacked = after_safe_stack(game, position, view)
            if stacked is not None:
                position = stacked
                continue
            _, f, talon, w = position
            if w == 0 or (game.draw != 1 and w != size(talon)):
                return position, r, view
            card = self.row(talon)[w - 1]
            if not view.next_up >> card & 1 or not is_safe(game, f, card):
                return position, r, view
            position, r = self.draw(position, card, True, r)

    def results(self, position, r):
        game = self.game
        view = View(game, position)
        _, f, talon, w = position
        for card in cards(view.anchored & view.places):
            yield leave(game, position, card), r
        for card in cards(view.visible & view.available & view.next_up):
            yield stack(game, position, view.anchored, card), r
        for card in cards(view.back & view.places):
            after = come_back(position, card)
            if not is_safe(game, after[1], card):
                yield after, r
        for j, card in enumerate(self.row(talon), 1):
            if j == size(talon) or (j >= w and (j - w) % game.draw == 0):
                left = r
            elif r > 0 and j % game.draw == 0:
                left = r - 1
            else:
                continue
            goes_up = view.next_up >> card & 1
            if goes_up:
                yield self.draw(position, card, True, left)
            if view.places >> card & 1 and not (goes_up and is_safe(game, f, card)):
                yield self.draw(position, card, False, left)

    def is_dead_by_passes(self, position, r, view):
        """Section 10.4."""
        game, row, d = self.game, self.row(position[2]), self.game.draw
        m, sets = len(row), Sets(game, position, view)

        def grow(turned_last):
            while True:
                before, gone, uncovered = sets.snapshot(), sets.tab | sets.fnd, False
                sets.acc = 0
                for i in range(m - 1, -1, -1):
                    if uncovered or turned_last(i):
                        sets.acc |= 1 << row[i]
                        uncovered = gone >> row[i] & 1
                sets.down = sets.fnd if game.worrying_back else 0
                sets.grow_once(game, view)
                if before == sets.snapshot():
                    return

        cut = position[3]
        while True:
            grow(lambda i: i == cut - 1)
            if cut == m:
                break
            cut = min(cut + d, m)
        for _ in range(r):
            begin, gone = sets.snapshot(), sets.tab | sets.fnd
            before = [sum(gone >> card & 1 for card in row[:i]) for i in range(m + 1)]
            for k in range(1, -(-m // d) + 1):
                last = k >= -(-(m - before[m]) // d)
                grow(lambda i: i + 1 - before[i] <= k * d <= i + 1 or (last and i == m - 1))
            if begin == sets.snapshot():
                break
        return sets.fnd != game.deck


def check_redeals(header, reader, max_entries):
    game = RedealGame(header)
    draw_1 = read_set(reader, max_entries)
    in_order = read_set(reader, max_entries - len(draw_1))
    entries, lost = set(in_order), set()
    closure = Closure(game.game)
    closure.draw_1.update(draw_1)
    closure.read_through_the_order(draw_1)

    def has(position, r):
        number = game.number(position, r)
        most = min(game.most_left, size(position[2]))
        return any(number + more in entries for more in range(most - r + 1))

    def covered(position, r):
        if has(position, r):
            return True
        position, r, view = game.at_rest(position, r)
        if has(position, r):
            return True
        number = game.number(position, r)
        if number not in lost and game.is_dead_by_passes(position, r, view):
            lost.add(number)
        return number in lost or closure.covers_in_draw_1(position)

    check_entries(closure, draw_1, False)
    if not covered(*game.first):
        raise Wrong("the first position is not covered")
    for index, number in enumerate(in_order, 1):
        position, r = game.position(number)
        if all(position[1][suit] == header.ranks for suit in game.game.suits):
            raise Wrong(f"entry {index}: the position is won")
        if not all(covered(*after) for after in game.results(position, r)):
            raise Wrong(f"entry {index}: play leads to a position that is not covered")
    return len(draw_1) + len(in_order)


# --- Closed set with holds (section 11): n, f, T, w; and the holds beside it ----------------------


class HoldGame:
    def __init__(self, header):
        self.game = Game(header)
        view = View(self.game, self.game.first)
        holds = 0
        for pile, down in zip(header.piles, header.face_down):
            for parent, child in zip(pile[down:], pile[down + 1 :]):
                if self.in_pairs(view) >> parent & 1:
                    holds |= 1 << (parent & ~1 if parent % 2 == child % 2 else parent | 1)
        self.first = self.game.first, holds

    @staticmethod
    def in_pairs(view):
        return pairs(view.visible) & parents(view.free)

    @staticmethod
    def held_on(holds, child):
        """The card that the child is on by a hold, or None."""
        for card in cards(parents(1 << child)):
            if holds >> (card & ~1) & 1 and card % 2 == child % 2:
                return card
            if holds >> (card | 1) & 1 and card % 2 != child % 2:
                return card
        return None

    def may_be_bare(self, view, holds):
        under = [self.held_on(holds, child) for child in cards(view.free)]
        return view.visible & view.available & ~sum(1 << card for card in under if card is not None)

    def is_bare(self, view, holds):
        return self.may_be_bare(view, holds) & (with_twins(holds) | ~parents(view.free))

    def under(self, view, holds):
        """The pairs of a card and a free child that is on it."""
        for child in cards(view.free):
            card = self.held_on(holds, child)
            above = parents(1 << child)
            if card is None and size(above & view.visible) == 1 and not above & with_twins(holds):
                card = next(cards(above & view.visible))
            if card is not None:
                yield card, child

    def after(self, view, holds, position):
        new = View(self.game, position)
        in_pairs = self.in_pairs(new)
        holds &= in_pairs
        for card in cards(new.visible & ~view.visible & in_pairs):
            child = next(c for c in cards(new.free) if parents(1 << c) >> card & 1)
            holds |= 1 << (card & ~1 if child % 2 == (card ^ 1) % 2 else card | 1)
        return position, holds

    def at_rest(self, position, holds):
        game = self.game
        while True:
            view = View(game, position)
            card = safe_card(game, position[1], self.is_bare(view, holds) & view.next_up)
            if card is not None:
                after = stack(game, position, view.anchored, card)
            elif game.draw == 1:
                card = safe_card(game, position[1], position[2] & view.next_up)
                after = None if card is None else draw(game, position, card, True)
            else:
                card = last_safe(game, position, view) if position[3] == 0 else None
                after = None if card is None else draw(game, position, card, True)
            if after is None:
                return position, holds, view
            position, holds = self.after(view, holds, after)

    def moves(self, position, view, holds):
        game = self.game
        for card in cards(view.anchored & view.places):
            yield leave(game, position, card)
        for card in cards(self.may_be_bare(view, holds) & view.next_up):
            yield stack(game, position, view.anchored, card)
        for card in cards(view.back & view.places):
            after = come_back(position, card)
            if not is_safe(game, after[1], card):
                yield after
        for card in cards(drawable(game, position)[0]):
            goes_up = view.next_up >> card & 1
            if goes_up:
                yield draw(game, position, card, True)
            if view.places >> card & 1 and not (goes_up and is_safe(game, position[1], card)):
                yield draw(game, position, card, False)

    def results(self, position, holds):
        view = View(self.game, position)
        for after in self.moves(position, view, holds):
            yield self.after(view, holds, after)

    def entry(self, number, holds):
        position = self.game.position(number, True)
        view = View(self.game, position)
        if holds & ~self.in_pairs(view) or pairs(holds) or not view.can_lie:
            raise Wrong(f"no position has number {number} and holds {holds}")
        return position, holds


def read_held_set(reader, room):
    count = reader.number()
    if count > room:
        raise Wrong("too many entries")
    entries = []
    for _ in range(count):
        number, holds = reader.number(), reader.number()
        if entries:
            number += entries[-1][0]
            if (number, holds) <= entries[-1]:
                raise Wrong("the entries are not in increasing order")
        if number >= 1 << 64:
            raise Wrong("a number is too long")
        entries.append((number, holds))
    return entries


def check_holds(header, reader, max_entries):
    if header.runs != 1:
        raise Wrong("this claim is about whole runs")
    game = HoldGame(header)
    draw_1 = read_set(reader, max_entries)
    in_order = read_held_set(reader, max_entries - len(draw_1))
    closure = Closure(game.game)
    closure.draw_1.update(draw_1)
    closure.read_through_the_order(draw_1)
    entries, lost = {}, set()
    for number, holds in in_order:
        without_waste, w = divmod(number, len(game.game.talon) + 1)
        entries.setdefault(without_waste, []).append((w, holds))

    def has(position, holds):
        w = position[3]
        return any(
            not held & ~holds and (w == 0 or (other <= w and (w - other) % game.game.draw == 0))
            for other, held in entries.get(game.game.number(position, False), ())
        )

    def covered(position, holds):
        if has(position, holds):
            return True
        position, holds, view = game.at_rest(position, holds)
        if has(position, holds):
            return True
        if (position, holds) not in lost:
            under = list(game.under(view, holds))
            if is_dead(game.game, position, view, game.game.draw == 1, under):
                lost.add((position, holds))
        return (position, holds) in lost or closure.covers_in_draw_1(position)

    check_entries(closure, draw_1, False)
    if not covered(*game.first):
        raise Wrong("the first position is not covered")
    for index, (number, holds) in enumerate(in_order, 1):
        position, holds = game.entry(number, holds)
        if all(position[1][suit] == header.ranks for suit in game.game.suits):
            raise Wrong(f"entry {index}: the position is won")
        if not all(covered(*after) for after in game.results(position, holds)):
            raise Wrong(f"entry {index}: play leads to a position that is not covered")
    return len(draw_1) + len(in_order)


# --- Closed table set (section 9): (h and face-up cards of every pile, f of every suit, T, w, r) --------


class TableGame:
    def __init__(self, header):
        self.draw, self.runs, self.spaces = header.draw, header.runs, header.spaces
        self.worrying_back, self.deck, self.ranks = header.worrying_back, header.deck, header.ranks
        self.suits = range(header.suits)
        self.kings = sum(1 << number_of(suit, header.ranks) for suit in self.suits)
        self.in_space = (self.kings, self.deck, 0)[header.spaces]
        self.dealt = [pile[: down + 1] for pile, down in zip(header.piles, header.face_down)]
        self.talon = header.waste + header.stock
        self.width = len(self.dealt) + self.ranks + header.suits + 2
        size_of_talon = len(self.talon)
        left = size_of_talon if header.redeals is None else header.redeals - header.redeals_used
        self.most_left = min(left, size_of_talon)
        piles = tuple((down, tuple(pile[down:])) for pile, down in zip(header.piles, header.face_down))
        everything = sum(1 << card for card in self.talon)
        self.first = piles, tuple(header.foundations), everything, len(header.waste), self.most_left
        if header.pending >= 0:
            self.first = self.up(self.first, header.pending)

    # Section 9.2

    def is_pure(self, talon, w):
        return w % self.draw == 0 or w == size(talon)

    def bytes(self, position):
        piles, f, talon, w, r = position
        ranks = [0] * self.ranks
        for down, up in piles:
            for under, card in zip((None,) + up, up):
                bits = 1 + under % 2 if under is not None else 0 if down else 3
                ranks[self.ranks - RANK[card]] |= bits << 2 * (card % 4)
        if self.is_pure(talon, w) and r == size(talon):
            w = 0
        return bytes([*(down for down, _ in piles), *ranks, *f[: len(self.suits)], w, r])

    def position(self, entry):
        """The position with these bytes, or None."""
        down, rest = entry[: len(self.dealt)], entry[len(self.dealt) :]
        ranks, f, (w, r) = rest[: self.ranks], rest[self.ranks : -2], rest[-2:]
        if max(f) > self.ranks or any(h >= max(len(pile), 1) for h, pile in zip(down, self.dealt)):
            return None
        placed = [number_of(suit, rank) for suit in self.suits for rank in range(1, f[suit] + 1)]
        for h, pile in zip(down, self.dealt):
            placed += pile[: h + 1] if h else []
        lowest, lies_on, talon = [], {}, 0
        for card in cards(self.deck):
            bits = ranks[self.ranks - RANK[card]] >> 2 * (card % 4) & 3
            if bits == 0 and card not in placed:
                if card not in self.talon:
                    return None
                talon |= 1 << card
            elif bits == 3:
                lowest.append(card)
            elif bits:
                lies_on[4 * RANK[card] + card % 4 // 2 * 2 + bits - 1] = card
            if bits:
                placed.append(card)
        if len(set(placed)) != len(placed) or w > size(talon) or r > min(self.most_left, size(talon)):
            return None
        piles = []
        for h, pile in zip(down, self.dealt):
            up = pile[h : h + 1] if h else [lowest.pop(0)] if lowest else []
            while up and up[-1] in lies_on:
                up.append(lies_on[up[-1]])
            piles.append((h, tuple(up)))
        position = tuple(piles), tuple(f) + (0,) * (4 - len(f)), talon, w, r
        return position if self.bytes(position) == entry else None

    # Section 9.3

    def fits(self, f, card):
        return f[SUIT[card]] + 1 == RANK[card]

    def is_safe(self, f, card):
        twin, other = 3 - SUIT[card], (1, 2) if SUIT[card] in (0, 3) else (0, 3)
        x = f[twin] if twin in self.suits else 99
        y = min((f[suit] for suit in other if suit in self.suits), default=99)
        rank = RANK[card]
        return (rank <= y + 2 and rank <= x + 3) or (not self.worrying_back and rank <= y + 1)

    def shorter(self, piles, pile, keep):
        """The piles when only so many face-up cards are left on one."""
        down, up = piles[pile]
        up = up[:keep]
        if not up and down:
            down -= 1
            up = (self.dealt[pile][down],)
        return piles[:pile] + ((down, up),) + piles[pile + 1 :]

    def longer(self, piles, pile, more):
        down, up = piles[pile]
        return piles[:pile] + ((down, up + more),) + piles[pile + 1 :]

    def up(self, position, pile):
        piles, f, talon, w, r = position
        _, face_up = piles[pile]
        f = raised(f, SUIT[face_up[-1]], 1)
        return self.shorter(piles, pile, len(face_up) - 1), f, talon, w, r

    def takers(self, piles, card):
        empty = self.in_space >> card & 1
        for pile, (_, up) in enumerate(piles):
            if up:
                if children(1 << up[-1]) >> card & 1:
                    yield pile
            elif empty:
                empty = 0
                yield pile

    def reached(self, position):
        """Place and card of the talon cards that can be played, and whether it takes a redeal."""
        _, _, talon, w, r = position
        left = [card for card in self.talon if talon >> card & 1]
        for j, card in enumerate(left, 1):
            if j == len(left) or (j >= w and (j - w) % self.draw == 0):
                yield j, card, False
            elif r > 0 and j % self.draw == 0:
                yield j, card, True

    def taken(self, position, j, card, redeal):
        piles, f, talon, w, r = position
        if redeal and r < size(talon):
            r -= 1
        talon &= ~(1 << card)
        return piles, f, talon, j - 1, min(r, size(talon))

    def results(self, position):
        """The positions after each needed move."""
        piles, f, talon, w, r = position
        for source, (down, up) in enumerate(piles):
            if up and self.fits(f, up[-1]):
                yield self.up(position, source)
            for at, card in enumerate(up):
                goes_up = at > 0 and self.fits(f, up[at - 1])
                if at > 0 and (self.runs == 1 or (self.runs == 2 and not goes_up)):
                    continue
                for to in self.takers(piles, card):
                    if at == 0 and down == 0 and not piles[to][1]:
                        continue
                    after = self.longer(self.shorter(piles, source, at), to, up[at:]), f, talon, w, r
                    yield self.up(after, source) if at > 0 and self.runs == 2 else after
        for j, card, redeal in self.reached(position):
            after = self.taken(position, j, card, redeal)
            if self.fits(f, card):
                yield (piles, raised(f, SUIT[card], 1)) + after[2:]
                if self.is_safe(f, card):
                    continue
            for to in self.takers(piles, card):
                yield (self.longer(piles, to, (card,)), f) + after[2:]
        for suit in self.suits:
            if self.worrying_back and f[suit]:
                card = number_of(suit, f[suit])
                if not self.is_safe(f, card):
                    for to in self.takers(piles, card):
                        yield self.longer(piles, to, (card,)), raised(f, suit, -1), talon, w, r

    def safe_move(self, position):
        piles, f, talon, w, r = position
        for pile, (_, up) in enumerate(piles):
            if up and self.fits(f, up[-1]) and self.is_safe(f, up[-1]):
                return self.up(position, pile)
        if r == size(talon):
            for j, card, redeal in self.reached(position):
                may = self.draw == 1 or (j == size(talon) and self.is_pure(talon, w))
                if may and self.fits(f, card) and self.is_safe(f, card):
                    after = self.taken(position, j, card, redeal)
                    return (piles, raised(f, SUIT[card], 1)) + after[2:]
        return None

    def at_rest(self, position):
        while True:
            after = self.safe_move(position)
            if after is None:
                return position
            position = after

    # Section 9.5

    def is_dead(self, position):
        piles, f, talon, _, r = position
        left = [card for card in self.talon if talon >> card & 1]
        seen = sum(1 << card for _, face_up in piles for card in face_up)
        up = sum(1 << number_of(suit, rank) for suit in self.suits for rank in range(1, f[suit] + 1))
        reach = sum(1 << card for _, card, _ in self.reached(position))
        roots = [(h, face_up[0]) if face_up else None for h, face_up in piles]
        space = None in roots
        down = up if self.worrying_back else 0
        while up != self.deck:
            before = seen, up, reach, space, list(roots)
            places = children(seen) | (self.in_space if space else 0)
            seen |= (reach | down) & places
            for suit in self.suits:
                for rank in range(1, self.ranks + 1):
                    card = 1 << number_of(suit, rank)
                    if not up & card:
                        up |= card & (seen | reach)
                        break
            for pile, root in enumerate(roots):
                if root and (places | up) >> root[1] & 1:
                    h = root[0] - 1
                    roots[pile] = (h, self.dealt[pile][h]) if h >= 0 else None
                    if h >= 0:
                        seen |= 1 << self.dealt[pile][h]
                    else:
                        space = True
            gone, gone_before = reach & (seen | up), 0
            for i, card in enumerate(left):
                after = i + 1 < len(left) and gone >> left[i + 1] & 1
                if after or (r > 0 and gone_before >= (i + 1) % self.draw):
                    reach |= 1 << card
                gone_before += gone >> card & 1
            if before == (seen, up, reach, space, roots):
                return True
        return False


def read_table_set(reader, width, room):
    count = reader.number()
    if count > room:
        raise Wrong("too many entries")
    entries, entry = set(), bytearray(width)
    for index in range(count):
        changes = reader.number()
        if changes >> width or (changes == 0 and index > 0):
            raise Wrong("the entries do not increase")
        higher = False
        for place in range(width):
            if changes >> (width - 1 - place) & 1:
                new = reader.byte()
                if new == entry[place] or (new < entry[place] and not higher):
                    raise Wrong("the entries do not increase")
                entry[place], higher = new, True
        entries.add(bytes(entry))
    return entries


def check_table_set(header, reader, max_entries):
    game = TableGame(header)
    entries, dead = read_table_set(reader, game.width, max_entries), set()

    def has(position):
        entry = game.bytes(position)
        most = min(game.most_left, size(position[2]))
        return any(entry[:-1] + bytes([r]) in entries for r in range(position[4], most + 1))

    def covered(position):
        if has(position):
            return True
        rested = game.at_rest(position)
        if has(rested):
            return True
        entry = game.bytes(rested)
        if entry not in dead and game.is_dead(rested):
            dead.add(entry)
        return entry in dead

    if not covered(game.first):
        raise Wrong("the first position is not covered")
    for entry in entries:
        position = game.position(entry)
        if position is None:
            raise Wrong(f"no position has the bytes {entry.hex()}")
        if sum(position[1]) == size(game.deck):
            raise Wrong(f"the position {entry.hex()} is won")
        if not all(map(covered, game.results(position))):
            raise Wrong(f"play leads from {entry.hex()} to a position that is not covered")
    return len(entries)


def check_entries(closure, entries, with_waste):
    """Checks the entries of the main set, or of the draw-1 set."""
    game = closure.game
    for index, number in enumerate(entries, 1):
        place = f"entry {index} of the {'main' if with_waste else 'draw-1'} set"
        try:
            position = game.position(number, with_waste)
        except Wrong as error:
            raise Wrong(f"{place}: {error}") from error
        if max(position[0]) <= 1 and (not with_waste or size(position[2]) <= 1):
            raise Wrong(f"{place}: the position is won")
        results = main_results(game, position) if with_waste else draw_1_results(game, position)
        in_place = sum(position[0])
        covers = closure.covers if with_waste else lambda u: closure.covers_in_draw_1(u, in_place)
        if not all(map(covers, results)):
            raise Wrong(f"{place}: play leads to a position that is not covered")


def check_loss(header, reader, max_entries):
    if header.claim == 5:
        return check_table_set(header, reader, max_entries)
    if header.spaces == 1:
        raise Wrong("losses cannot be certified if any card goes to an empty pile")
    if header.claim == 7:
        return check_redeals(header, reader, max_entries)
    if header.claim == 8:
        return check_holds(header, reader, max_entries)
    game = Game(header)
    if header.claim == 4:
        if not Refutation(game, game.first).succeeds():
            raise Wrong("the first position is not refuted")
        return 0
    closure = Closure(game)
    draw_1, main = [], []
    if header.claim in (3, 6):
        draw_1 = read_set(reader, max_entries)
        closure.draw_1.update(draw_1)
        if game.draw > 1:
            main = read_set(reader, max_entries - len(draw_1))
            for number in main:
                without_waste, w = divmod(number, len(game.talon) + 1)
                closure.main.setdefault(without_waste, []).append(w)
    if header.claim == 6:
        closure.read_through_the_order(draw_1)
    if not closure.covers(game.first):
        raise Wrong("the first position is not covered")
    check_entries(closure, draw_1, False)
    check_entries(closure, main, True)
    return len(draw_1) + len(main)


def check(file, max_entries):
    """Returns header and number of entries, or raises Wrong."""
    reader = Reader(file)
    header = Header(reader)
    entries = (replay if header.claim == 1 else check_loss)(header, reader, max_entries)
    reader.finish()
    return header, entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--max-entries", type=int, default=1_000_000, help="most moves or positions")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    status = 0
    for path in arguments.files:
        # A name may hold line ends, or bytes that are no text.
        name = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in path)
        try:
            with open(path, "rb") as file:
                header, entries = check(file, arguments.max_entries)
            verdict = "winnable" if header.claim == 1 else "unwinnable"
            print(f"VERIFIED {verdict} {name}: {header.describe()}; {entries} entries")
            for line in header.position():
                print(f"  {line}")
        except Wrong as error:
            status = 1
            print(f"REJECTED {name}: {error}")
        except OSError as error:
            status = 1
            print(f"REJECTED {name}: {error.strerror}")
    return status


if __name__ == "__main__":
    sys.exit(main())
