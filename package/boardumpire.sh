#!/bin/sh
# The program lives in a virtual environment of its own.
exec /opt/boardumpire/bin/boardumpire "$@"
