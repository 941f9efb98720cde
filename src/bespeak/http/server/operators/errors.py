"""The errors of logging in, of proofs, and of the accounts of operators."""

from bespeak.errors import InvalidRequest, NotPermitted, Refused


class LoginFailed(NotPermitted):
    """The name and the password, or the passkey, are not those of an operator who may log in."""

    code = "login_failed"
    status = 401
    title = "This login is not right"


class SecondFactorRequired(NotPermitted):
    """The password is right; the code of the authenticator app, or a recovery code, is missing."""

    code = "second_factor_required"
    status = 401
    title = "The code of the authenticator app is needed as well"


class OperatorLinkInvalid(NotPermitted):
    """The link to set up a login is forged, over, or was used."""

    code = "operator_link_invalid"
    status = 401
    title = "This link is not, or not any more, a good one"


class NotAnOperator(NotPermitted):
    """The session is of a key; only operators have an account."""

    code = "not_an_operator"
    title = "Whoever logs in with a key has no account"


class StepUpRequired(NotPermitted):
    """The operator must prove again who they are and repeat the call; `ways` says how they can.
    With none they must first set up a passkey or an authenticator app."""

    code = "step_up_required"
    title = "Prove again who you are"


class ProofFailed(NotPermitted):
    """The passkey, the code or the password is not the operator's, or was used before."""

    code = "proof_failed"
    title = "This does not prove who you are"


class PasskeysUnavailable(Refused):
    """Browsers know no passkeys for this address: it is an IP address, or not the public one."""

    code = "passkeys_unavailable"
    title = "There are no passkeys at this address"


class OperatorNotFound(Refused):
    """No operator has this id or login."""

    code = "operator_not_found"
    status = 404
    title = "There is no such operator"


class OperatorExists(Refused):
    """Another operator has this login."""

    code = "operator_exists"
    title = "Another operator has this login"


class OperatorDisabled(Refused):
    """The operator is disabled: enable them first."""

    code = "operator_disabled"
    title = "This operator is disabled"


class LastOwner(Refused):
    """Without this operator there would be no owner who can log in."""

    code = "last_owner"
    title = "This is the last owner"


class PasswordTooEasy(InvalidRequest):
    """The password is among the first that are tried: it leaked often, or is made of such words,
    of rows of keys, of dates, or of the operator's own name."""

    code = "password_too_easy"
    title = "This password is easily guessed"


class PasskeyNotFound(Refused):
    """The operator has no passkey with this id."""

    code = "passkey_not_found"
    status = 404
    title = "There is no passkey with this id"


class OperatorSessionNotFound(Refused):
    """The operator has no open session with this id."""

    code = "operator_session_not_found"
    status = 404
    title = "There is no open session with this id"


class LastLogin(Refused):
    """Without this the operator could not log in any more."""

    code = "last_login"
    title = "This is the only way to log in that is left"


class TooManyPasskeys(Refused):
    """The operator has as many passkeys as one may have; `limit` says how many."""

    code = "too_many_passkeys"
    title = "There are too many passkeys"
