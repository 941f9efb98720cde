"""The errors of waiting rooms: branches of the one tree."""

from bespeak.errors import InvalidRequest, NotPermitted, Refused


class WaitingRoomNotFound(Refused):
    """No waiting room has this id."""

    code = "waiting_room_not_found"
    status = 404
    title = "There is no waiting room with this id"


class WaitingRoomOpened(Refused):
    """The sale of the waiting room has begun, and what was asked must be done before that."""

    code = "waiting_room_opened"
    title = "The sale of this waiting room has begun"


class WaitingRoomClosed(Refused):
    """Nobody can join the queue now: it does not open before `early_opens_at`, or it has ended."""

    code = "waiting_room_closed"
    title = "The queue is not open"


class WaitingRoomDraining(Refused):
    """Nobody more can join: the queue is served to its end. Who has joined keeps the place, and is
    called."""

    code = "waiting_room_draining"
    title = "This queue takes nobody more; those who are in it are served"


class WaitingRoomPassesGiven(Refused):
    """The opening cannot be undone: somebody has been let in."""

    code = "waiting_room_passes_given"
    title = "Somebody has been let in already"


class PublicValueStands(Refused):
    """People can join, or could: what the draw is mixed with is not named any more."""

    code = "public_value_stands"
    title = "The public value stands since people can join"


class EarlyOrderStands(Refused):
    """People can join, or could: in which order the early stand is not changed any more."""

    code = "early_order_stands"
    title = "The order of the early stands since people can join"


class OpeningsTakenBack(Refused):
    """The opening cannot be undone: so many (`limit`) were taken back before, and each is a new
    draw."""

    code = "openings_taken_back"
    title = "Openings of this waiting room were taken back too often"


class ResourceInWaitingRoom(Refused):
    """The resource is behind another waiting room, and can be behind one only."""

    code = "resource_in_waiting_room"
    title = "The resource is behind another waiting room"


class QueueTokenInvalid(InvalidRequest):
    """The queue token was not given out by this waiting room."""

    code = "queue_token_invalid"
    title = "This queue token is not one of this waiting room"


class NotYourTurn(Refused):
    """Others are before whoever has this queue token."""

    code = "not_your_turn"
    retryable = True
    title = "It is not your turn yet"


class TurnLost(Refused):
    """The turn of this queue token was called, and nobody came within the time for it. Joining
    again is right."""

    code = "turn_lost"
    title = "The turn was called, and its time is over"


class PassEnded(Refused):
    """The pass of this queue token has ended, `ended_as` says how. Joining again is right."""

    code = "pass_ended"
    title = "The pass of this queue token has ended"


class TurnMailsTooMany(Refused):
    """So many have asked this waiting room for a mail that it keeps no more addresses. The place
    in the queue is as good without."""

    code = "turn_mails_too_many"
    title = "This waiting room takes no more addresses for mails"


class PassRequired(NotPermitted):
    """What is behind a waiting room is sold to those whom it has let in: to whoever has its
    pass."""

    code = "pass_required"
    title = "A pass of the waiting room is needed"


class PassInvalid(NotPermitted):
    """The pass is forged, over, another shopper's or another waiting room's, or is for other
    resources."""

    code = "pass_invalid"
    title = "This pass is not good here"


class InviteCodeMistyped(InvalidRequest):
    """What was typed is no invitation code: a letter is wrong, missing or too much."""

    code = "invite_code_mistyped"
    title = "There is a slip in this code"


class InviteCodeUnknown(InvalidRequest):
    """No invitation code of this waiting room is so written."""

    code = "invite_code_unknown"
    title = "This code is not one of this waiting room"


class InviteCodeRevoked(Refused):
    """The invitation code, or its whole batch, was revoked (`revoked_at`)."""

    code = "invite_code_revoked"
    title = "This code was revoked"


class InviteCodeExpired(Refused):
    """The invitation code was good until a time that is over (`until`)."""

    code = "invite_code_expired"
    title = "The time of this code is over"


class InviteCodeUsedUp(Refused):
    """As many persons as the invitation code is for (`persons`) have joined with it."""

    code = "invite_code_used_up"
    title = "This code has been used"


class InviteBatchNotFound(Refused):
    """The waiting room has no batch of invitation codes with this number."""

    code = "invite_batch_not_found"
    status = 404
    title = "There is no batch of codes with this number"


class InviteBatchesTooMany(Refused):
    """The waiting room has as many batches of invitation codes as it can have (`limit`)."""

    code = "invite_batches_too_many"
    title = "This waiting room has as many batches of codes as it can have"
