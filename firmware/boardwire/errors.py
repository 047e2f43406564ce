"""Whose fault it is. MicroPython subset."""


class ProtocolError(Exception):
    """Something that the protocol does not allow."""


class LocalProtocolError(ProtocolError):
    """This end wanted to do what it may not: a bug of ours."""


class RemoteProtocolError(ProtocolError):
    """The other end did what it may not. Noise on the wire is nobody's fault and never raises."""
