import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** `answer`: from its records. `fail`: SERVFAIL. `silent`: no response. */
type Behaviour = 'answer' | 'fail' | 'silent'

export type NameServer = {
  /** `127.0.0.1:port`. */
  address: string
  /** Sets the TXT records of a name. */
  publish(name: string, ...texts: string[]): void
  behave(behaviour: Behaviour): void
  /** The queried names, in order. */
  asked(): string[]
  stop(): Promise<void>
}

const HEADER_BYTES = 12
const LARGEST_PIECE = 255
const TXT = 16
const IN = 1
const STATUS = { found: 0, failed: 2, missing: 3 } as const

/** Starts a name server on 127.0.0.1 that supports only TXT records (RFC 1035, section 4). */
export async function startNameServer({ port = 0 } = {}): Promise<NameServer> {
  const records = new Map<string, string[]>()
  const names: string[] = []
  let behaviour: Behaviour = 'answer'
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    names.push(name)
    if (behaviour === 'silent') return
    const texts = behaviour === 'fail' ? null : (records.get(name) ?? [])
    socket.send(answer(query.subarray(0, end + 4), texts), port, address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    publish: (name, ...texts) => void records.set(name.toLowerCase(), texts),
    behave: (next) => {
      behaviour = next
    },
    asked: () => [...names],
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** The name of a query's single question, and its end offset. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** The response to a question; SERVFAIL when `texts` is null. */
function answer(question: Buffer, texts: string[] | null): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES))
  const status = texts ? (texts.length ? STATUS.found : STATUS.missing) : STATUS.failed
  header.writeUInt16BE(0x8180 | status, 2)
  header.writeUInt16BE(texts?.length ?? 0, 6)
  header.fill(0, 8)
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...(texts ?? []).map(txtRecord)])
}

function txtRecord(text: string): Buffer {
  const pieces: Buffer[] = []
  for (let rest = Buffer.from(text); rest.length; rest = rest.subarray(LARGEST_PIECE))
    pieces.push(Buffer.from([Math.min(rest.length, LARGEST_PIECE)]), rest.subarray(0, LARGEST_PIECE))
  const data = Buffer.concat(pieces)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0) // the name is a pointer to the question's
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(IN, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
