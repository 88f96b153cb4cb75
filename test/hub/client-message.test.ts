import { expect, test } from 'vitest'
import { MAX_FRAME_BYTES, readClientMessage, type ClientMessage } from '../../src/hub/client-message.ts'

const cases: [string, string | ArrayBuffer, ClientMessage['kind']][] = [
  ['a ping in another spelling', '{ "type": "ping" }', 'ping'],
  ['an acknowledgement', '{"type":"ack","received":12}', 'ack'],
  ['an acknowledgement without a count', '{"type":"ack"}', 'ignored'],
  ['an acknowledgement of less than nothing', '{"type":"ack","received":-1}', 'ignored'],
  ['an acknowledgement of half a message', '{"type":"ack","received":1.5}', 'ignored'],
  ['an unknown type', '{"type":"subscribe"}', 'ignored'],
  ['no JSON', 'hello', 'ignored'],
  ['JSON that is no object', '[1]', 'ignored'],
  ['null', 'null', 'ignored'],
  ['bytes', new ArrayBuffer(8), 'ignored'],
  ['64 KiB', 'x'.repeat(MAX_FRAME_BYTES), 'ignored'],
  ['64 KiB and one byte', 'x'.repeat(MAX_FRAME_BYTES + 1), 'too_large'],
  ['64 KiB and one byte of UTF-8 in fewer characters', `${'€'.repeat(21_845)}xx`, 'too_large'],
  ['64 KiB of UTF-8 in fewer characters', `${'€'.repeat(21_845)}x`, 'ignored'],
  ['64 KiB and one byte, binary', new ArrayBuffer(MAX_FRAME_BYTES + 1), 'too_large'],
]

test.each(cases)('%s', (_, message, kind) => {
  expect(readClientMessage(message).kind).toBe(kind)
})
