"""Rooms from inside, as flat drawings: SVG without its frame, for `stay-pictures`."""

from __future__ import annotations

from typing import NamedTuple

from drawn_houses import DAY, HEIGHT, WIDTH, Light, path, rect, round_


class Room(NamedTuple):
    """The colours of a room: its wall, floor, what covers the bed, and its wood."""

    wall: str
    floor: str
    cover: str
    wood: str


SAGE = Room("#dfe7dc", "#b98b62", "#6f8f7c", "#8a5f3f")
ROSE = Room("#f3dfd6", "#c79f78", "#b5656b", "#7a4b3a")
BLUE = Room("#d9e4ee", "#a98562", "#3e6488", "#5f4633")
OCHRE = Room("#f4e6c6", "#9c7350", "#c98a2b", "#6a452c")
PLUM = Room("#e6deea", "#b08a70", "#6a4c7d", "#55402f")


def room(colours: Room, things: str, light: Light = DAY, *, window: int = 690) -> str:
    """A wall with a window in it, and a floor."""
    boards = "".join(
        path(f"M{x} 470L{x * 2 - 480} 640", "none", 'stroke="#0001" stroke-width="3"')
        for x in range(0, 961, 80)
    )
    pane = (
        f'<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="{light.top}"/>'
        f'<stop offset="1" stop-color="{light.low}"/></linearGradient></defs>'
        + rect(window - 8, 92, 186, 236, "#fff")
        + rect(window, 100, 170, 220, "url(#sky)")
        + path(f"M{window} 290q50 -40 90 -10t80 -10v50h-170z", light.near)
        + rect(window + 81, 100, 8, 220, "#fff")
        + rect(window, 204, 170, 8, "#fff")
        + path(f"M{window - 40} 78h58q4 150 -34 270h-24z", colours.cover, 'opacity=".75"')
        + path(f"M{window + 210} 78h-58q-4 150 34 270h24z", colours.cover, 'opacity=".75"')
        + rect(window - 52, 70, 274, 9, colours.wood, 'rx="4"')
    )
    return (
        rect(0, 0, WIDTH, HEIGHT, colours.wall)
        + rect(0, 470, WIDTH, 170, colours.floor)
        + boards
        + rect(0, 458, WIDTH, 14, "#fff9")
        + pane
        + things
    )


def lamp(x: int, y: int, wood: str) -> str:
    return (
        round_(x, y - 96, 70, "#ffe7a3", 'opacity=".35"')
        + path(f"M{x - 30} {y - 70}l12 -46h36l12 46z", "#fff0c9")
        + rect(x - 4, y - 70, 8, 58, "#8b7a63")
        + rect(x - 34, y - 12, 68, 10, wood)
        + rect(x - 30, y - 2, 60, 90, wood)
        + rect(x - 22, y + 14, 44, 30, "#0002", 'rx="3"')
    )


def bed(x: int, width: int, colours: Room, pillows: int) -> str:
    each = (width - 40) / pillows
    cushions = "".join(
        rect(x + 20 + n * each + 6, 366, each - 12, 54, "#fff", 'rx="20"') for n in range(pillows)
    )
    return (
        rect(x - 8, 290, width + 16, 190, colours.wood, 'rx="22"')
        + rect(x, 380, width, 150, "#f8f4ec", 'rx="16"')
        + cushions
        + path(f"M{x - 10} 436h{width + 20}v112q0 18 -18 18h-{width - 16}q-18 0 -18 -18z",
               colours.cover)
        + rect(x - 10, 430, width + 20, 28, "#fff", 'rx="10"')
        + rect(x + 12, 566, 18, 26, colours.wood)
        + rect(x + width - 30, 566, 18, 26, colours.wood)
    )  # fmt: skip


def frame(x: int, y: int, colours: Room) -> str:
    return (
        rect(x, y, 130, 96, colours.wood)
        + rect(x + 8, y + 8, 114, 80, "#fbf7ee")
        + path(f"M{x + 8} {y + 88}q36 -52 66 -26t48 -22v48z", colours.cover)
        + round_(x + 92, y + 32, 11, "#e9b44c")
    )


def plant(x: int, y: int) -> str:
    leaves = "".join(
        path(
            f"M{x} {y - 60}q{dx} -{h * 0.6} {dx * 1.6} -{h}q{-dx * 0.4} {h * 0.7} {-dx * 1.6} {h}z",
            "#4f7f5b",
        )
        for dx, h in ((-40, 90), (-18, 130), (8, 150), (30, 120), (46, 80))
    )
    return leaves + path(f"M{x - 36} {y - 62}h72l-10 62h-52z", "#c97b5a")


def double(c: Room, light: Light = DAY) -> str:
    return room(
        c,
        frame(310, 120, c) + lamp(140, 450, c.wood) + bed(220, 330, c, 2) + plant(880, 560),
        light,
    )


def single(c: Room, light: Light = DAY) -> str:
    desk = rect(580, 420, 250, 14, c.wood) + rect(596, 434, 14, 130, c.wood)
    desk += rect(800, 434, 14, 130, c.wood) + rect(640, 396, 70, 24, "#fff") + plant(790, 420)
    return room(c, frame(180, 130, c) + lamp(96, 450, c.wood) + bed(170, 210, c, 1) + desk, light)


def twin(c: Room, light: Light = DAY) -> str:
    return room(
        c, bed(70, 200, c, 1) + lamp(330, 450, c.wood) + bed(390, 200, c, 1) + frame(260, 120, c),
        light,
    )  # fmt: skip


def bunks(c: Room, light: Light = DAY) -> str:
    def one(x: int) -> str:
        rungs = "".join(rect(x + 214, y, 40, 8, c.wood) for y in range(250, 560, 52))
        return (
            rect(x, 150, 14, 430, c.wood)
            + rect(x + 254, 150, 14, 430, c.wood)
            + rect(x + 206, 200, 10, 380, c.wood)
            + "".join(
                rect(x, y, 268, 22, c.wood)
                + rect(x + 14, y - 34, 240, 34, c.cover, 'rx="8"')
                + rect(x + 18, y - 52, 66, 28, "#fff", 'rx="12"')
                for y in (290, 520)
            )
            + rungs
        )

    return room(c, one(60) + one(370) + plant(880, 580), light)


def lounge(c: Room, light: Light = DAY) -> str:
    sofa = (
        rect(150, 350, 420, 130, c.cover, 'rx="26"')
        + rect(120, 400, 70, 140, c.cover, 'rx="24"')
        + rect(530, 400, 70, 140, c.cover, 'rx="24"')
        + rect(180, 440, 360, 96, "#fff3", 'rx="16"')
        + rect(210, 384, 90, 70, "#f4d58d", 'rx="14"')
        + rect(420, 384, 90, 70, "#fff8", 'rx="14"')
    )
    table = '<ellipse cx="360" cy="586" rx="300" ry="42" fill="#fff5"/>'
    table += rect(260, 560, 200, 14, c.wood, 'rx="7"') + rect(290, 574, 12, 44, c.wood)
    table += rect(418, 574, 12, 44, c.wood) + rect(330, 538, 34, 22, "#fff", 'rx="6"')
    return room(c, frame(230, 150, c) + frame(400, 150, c) + sofa + table + plant(880, 560), light)


def kitchen(c: Room, light: Light = DAY) -> str:
    doors = "".join(
        rect(60 + n * 136, 404, 128, 150, c.cover, 'rx="4"')
        + rect(112 + n * 136, 420, 26, 6, "#fff9", 'rx="3"')
        for n in range(4)
    )
    shelf = rect(90, 200, 420, 12, c.wood)
    jars = "".join(
        rect(110 + n * 58, 200 - h, 38, h, fill, 'rx="6"')
        for n, (h, fill) in enumerate(
            ((52, "#fff"), (66, "#e9c46a"), (44, "#c97b5a"), (58, "#fff"), (40, "#7fa88c"))
        )
    )
    pots = rect(240, 350, 90, 36, "#4b4b55", 'rx="8"') + rect(226, 360, 118, 8, "#4b4b55", 'rx="4"')
    top = rect(48, 386, 568, 20, "#f5efe4", 'rx="4"') + pots + rect(430, 340, 12, 46, "#9aa3ab")
    table = rect(640, 470, 250, 14, c.wood, 'rx="6"') + rect(664, 484, 12, 110, c.wood)
    table += rect(854, 484, 12, 110, c.wood) + plant(770, 470)
    return room(c, shelf + jars + doors + top + table, light)


def bath(c: Room, light: Light = DAY) -> str:
    tiles = "".join(
        rect(x, y, 58, 58, "#fff4") for x in range(0, 620, 62) for y in range(200, 440, 62)
    )
    tub = (
        path("M120 400h430q0 160 -90 170h-250q-90 -10 -90 -170z", "#fff")
        + rect(104, 388, 462, 20, "#fff", 'rx="10"')
        + path("M120 404h430v12h-430z", "#0001")
        + rect(190, 566, 24, 26, c.wood)
        + rect(456, 566, 24, 26, c.wood)
        + rect(140, 300, 10, 92, "#9aa3ab")
        + rect(140, 300, 60, 10, "#9aa3ab", 'rx="5"')
        + "".join(round_(250 + n * 46, 392 - n % 2 * 9, 24, "#fffd") for n in range(6))
    )
    towel = rect(600, 300, 12, 270, c.wood) + rect(588, 320, 60, 130, c.cover, 'rx="6"')
    return room(c, tiles + tub + towel + plant(850, 580), light)


def table(c: Room, light: Light = DAY) -> str:
    cups = "".join(
        round_(x, 462, 40, "#fff")
        + round_(x, 462, 28, "#f4ecdf")
        + rect(x + 56, 430, 34, 34, "#fff", 'rx="8"')
        + rect(x + 60, 434, 26, 8, "#6b4632", 'rx="4"')
        for x in (210, 420)
    )
    bread = path("M300 404q52 -62 104 0z", "#c68b4e") + rect(290, 402, 124, 12, c.wood, 'rx="6"')
    board = path("M70 440h530l60 90h-650z", "#fff") + path("M10 530h650v24h-650z", "#e6ddcf")
    legs = rect(70, 554, 18, 86, c.wood) + rect(580, 554, 18, 86, c.wood)
    return room(c, frame(240, 120, c) + legs + board + bread + cups + plant(860, 600), light)


def terrace(light: Light, wall: str) -> str:
    rails = "".join(rect(x, 380, 6, 130, "#4a4038") for x in range(0, 960, 40))
    seat = rect(200, 440, 190, 16, wall, 'rx="8"') + rect(200, 360, 16, 90, wall, 'rx="8"')
    seat += rect(216, 456, 12, 90, "#4a4038") + rect(366, 456, 12, 90, "#4a4038")
    round_table = rect(440, 452, 170, 12, "#4a4038", 'rx="6"') + rect(519, 464, 12, 96, "#4a4038")
    glass = rect(500, 410, 22, 42, "#f2b84b", 'rx="6"') + rect(544, 424, 34, 28, "#fff", 'rx="6"')
    return rails + rect(0, 372, 960, 12, "#4a4038") + seat + round_table + glass + plant(800, 560)
