"""Scenes of single things, large: a whale, honeycombs, a bottle, drums."""

from __future__ import annotations

from bespeak.verticals.cinema.posters.canvas import WIDTH, Canvas, around, at


def whale(canvas: Canvas) -> None:
    """A whale that swims through the night sky, past the moon."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.mid)
    canvas.stars(80, 470, inks.paper)
    canvas.glow(286, 150, 190, inks.accent, 0.5)
    canvas.circle(286, 150, 74, inks.accent)
    for x, y, size in ((262, 128, 13), (310, 170, 9), (296, 122, 6)):
        canvas.circle(x, y, size, inks.shade, 0.4)
    for scale, x, y, fill in ((0.42, 40, 118, inks.far), (1.0, 44, 262, inks.sky_low)):
        canvas.add(f'<g transform="translate({x} {y}) rotate(-14) scale({scale})">')
        canvas.path("M0,60C10,6 96,-34 190,-18C238,-10 262,10 286,14C296,-10 318,-24 338,-22"
                    "C334,-4 322,10 306,22C324,30 334,46 334,62C314,62 298,50 288,34"
                    "C248,62 196,92 122,94C56,96 4,90 0,60Z", fill)  # fmt: skip
        canvas.path("M2,66C30,84 92,78 138,60C170,48 214,52 262,46C226,72 182,92 122,94"
                    "C56,96 6,90 2,66Z", inks.paper, opacity=0.85)  # fmt: skip
        for step in range(5):
            canvas.path(f"M{22 + 15 * step},{78 + step * 1.4:.1f}q40,6 74,-12", stroke=inks.mid,
                        width=1.6, opacity=0.6)  # fmt: skip
        canvas.path("M128,62q-6,44 34,60q8,-32 -6,-64Z", inks.mid)
        canvas.circle(54, 40, 4.6, inks.ink)
        canvas.add("</g>")
    for place in range(3):
        y = 480 + 38 * place
        shift = dice.uniform(-50, 0)
        canvas.path(f"M{shift:.1f},{y}" + "q26,-18 52,0t52,0" * 5 + "V640H-80Z",
                    (inks.mid, inks.near, inks.dark)[place])  # fmt: skip
    canvas.path("M96,474l10,18h34l10,-18Z", inks.accent)
    canvas.line((122, 474), (122, 436), inks.paper, 2.4)
    canvas.shape([(124, 438), (124, 468), (146, 466)], inks.paper)


def honeycomb(canvas: Canvas) -> None:
    """Cells of wax, some of them full, and bees about them."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.glow, inks.accent)
    side = 44.0
    fills = (inks.accent, inks.accent, inks.shade, inks.glow, inks.paper, inks.dark)
    for row in range(-1, 8):
        for column in range(-1, 6):
            x = column * side * 1.74 + (row % 2) * side * 0.87
            y = row * side * 1.5 + 20
            if dice.random() < 0.16 + 0.055 * row:
                continue
            cell = [around(x, y, side * 0.95, 60 * corner - 90) for corner in range(6)]
            canvas.shape(cell, dice.choice(fills))
            if dice.random() < 0.5:
                inner = [around(x, y, side * 0.6, 60 * corner - 90) for corner in range(6)]
                canvas.shape(inner, dice.choice((inks.glow, inks.shade, inks.accent)), 0.8)
    for x, y, turn in ((292, 330, -24), (120, 408, 18), (318, 118, 40)):
        _bee(canvas, x, y, turn)


def _bee(canvas: Canvas, x: float, y: float, turn: float) -> None:
    inks = canvas.inks
    canvas.path(f"M{x - 90},{y + 26}q40,-50 74,-20", stroke=inks.ink, width=1.3, opacity=0.5)
    canvas.add(f'<g transform="translate({x} {y}) rotate({turn})">')
    canvas.add(f'<ellipse cx="-4" cy="-17" rx="9" ry="17" fill="{inks.paper}" opacity=".9" '
               'transform="rotate(-26)"/>'
               f'<ellipse cx="11" cy="-16" rx="8" ry="15" fill="{inks.paper}" opacity=".9" '
               'transform="rotate(22)"/>'
               f'<ellipse rx="24" ry="14" fill="{inks.ink}"/>')  # fmt: skip
    for stripe in (-10, 2):
        canvas.rect(stripe, -13, 6, 26, inks.accent)
    canvas.circle(22, -2, 8, inks.ink)
    canvas.add("</g>")


def bottle(canvas: Canvas) -> None:
    """A flask with a harbour inside, and what rises from it."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.sky_low, inks.glow)
    canvas.circle(200, 226, 168, inks.accent, 0.35)
    for place in range(5):
        x = 150 + 24 * place
        swing = dice.uniform(18, 40) * (1 if place % 2 else -1)
        canvas.path(f"M{x},150q{swing:.1f},-46 0,-80t{swing / 2:.1f},-90", stroke=inks.paper,
                    width=5, opacity=0.75)  # fmt: skip
    canvas.rect(170, 122, 60, 44, inks.shade)
    canvas.rect(162, 110, 76, 16, inks.ink)
    canvas.rect(178, 166, 44, 28, inks.mid)
    body = "M112,214q0,-20 20,-20h136q20,0 20,20v212q0,26 -26,26h-124q-26,0 -26,-26Z"
    canvas.path(body, inks.near)
    canvas.circle(200, 284, 42, inks.accent)
    canvas.path("M112,312q22,-12 44,0t44,0t44,0t44,0v40h-176Z", inks.mid)
    canvas.path("M112,346q22,-12 44,0t44,0t44,0t44,0v80q0,26 -26,26h-124q-26,0 -26,-26Z", inks.dark)
    canvas.shape([(214, 318), (262, 318), (252, 336), (224, 336)], inks.paper)
    canvas.line((236, 318), (236, 262), inks.paper, 2.6)
    canvas.shape([(239, 266), (239, 312), (266, 308)], inks.paper)
    canvas.shape([(233, 272), (233, 312), (214, 308)], inks.glow)
    canvas.path("M126,218q0,-10 10,-10h8v224h-6q-12,0 -12,-12Z", inks.paper, opacity=0.25)
    canvas.rect(0, 452, WIDTH, 160, inks.ink)


def curtain(canvas: Canvas) -> None:
    """A stage between two curtains, a light on it, and a mask that somebody left."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.near)
    x = 200 + dice.uniform(-20, 20)
    canvas.shape([(x - 10, -10), (x + 10, -10), (x + 132, 452), (x - 132, 452)], inks.glow, 0.32)
    canvas.shape([(x - 6, -10), (x + 6, -10), (x + 84, 452), (x - 84, 452)], inks.glow, 0.4)
    canvas.rect(0, 430, WIDTH, 200, inks.dark)
    canvas.add(f'<ellipse cx="{x:.1f}" cy="446" rx="128" ry="22" fill="{inks.glow}"/>')
    mask = f"M{x - 46:.1f},372q46,-30 92,0q2,62 -46,74q-48,-12 -46,-74Z"
    canvas.path(mask, inks.paper)
    for side in (-1, 1):
        canvas.path(f"M{x + side * 32:.1f},392q{-side * 12},-10 {-side * 24},0"
                    f"q{side * 12},8 {side * 24},0Z", inks.ink)  # fmt: skip
        for fold in range(5):
            edge = 200 + side * 214
            wide = 132 - 25 * fold
            fill = (inks.shade, inks.accent)[fold % 2]
            sway = 26 - 5 * fold
            canvas.path(
                f"M{edge},-10H{edge - side * wide}C{edge - side * (wide + sway)},160 "
                f"{edge - side * (wide - sway)},320 {edge - side * (wide + 8)},474H{edge}Z",
                fill,
            )
    canvas.path(f"M{x - 16:.1f},424q16,-14 32,0", stroke=inks.ink, width=3)
    for place in range(9):
        canvas.circle(22 + 44.5 * place, 8, 31, (inks.accent, inks.shade)[place % 2])


def drums(canvas: Canvas) -> None:
    """Thirteen drums from above, each with a skin and ropes of its own."""
    inks, dice = canvas.inks, canvas.dice
    canvas.sky(inks.dark, inks.near)
    canvas.glow(200, 250, 300, inks.accent, 0.35)
    spots: list[tuple[float, float, float]] = [(200, 236, 76)]
    spots += [(*around(200, 236, 132, 60 * n - 90), 44) for n in range(6)]
    spots += [(*around(200, 236, 206, 60 * n - 60), 34) for n in range(6)]
    fills = (inks.accent, inks.paper, inks.shade, inks.glow, inks.far)
    for x, y, radius in spots:
        skin = dice.choice(fills)
        canvas.circle(x + 4, y + 7, radius, inks.ink, 0.5)
        canvas.circle(x, y, radius, inks.shade)
        for rope in range(16):
            a, b = around(x, y, radius, rope * 22.5), around(x, y, radius * 0.84, rope * 22.5 + 11)
            canvas.line(a, b, inks.paper, 1.6)
        canvas.circle(x, y, radius * 0.82, skin)
        canvas.ring(x, y, radius * 0.62, inks.ink, 1.4, 0.5)
        canvas.circle(x, y, radius * 0.3, inks.ink)
    sticks = f"M{at((128, 386))}L{at((206, 246))}M{at((286, 380))}L{at((216, 252))}"
    canvas.path(sticks, stroke=inks.paper, width=8)
