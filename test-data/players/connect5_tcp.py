#!/usr/bin/env python3
"""Connect5 over TCP: the dialogue of connect5.py on every connection to the port given."""
import io
import socketserver
import sys

from connect5 import dialogue


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        dialogue(io.TextIOWrapper(self.rfile), io.TextIOWrapper(self.wfile, write_through=True))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True


with Server(("127.0.0.1", int(sys.argv[1])), Conversation) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
