import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '#api/endpoints.ts'
import { blankComments, regexpsOf } from '#test/rules/support/source-text.ts'
import { readSources } from '#test/rules/support/sources.ts'
import { cpuMs } from '#test/support/measure/thread-cpu.ts'
import { measureGrowth, type Reader } from './growth.ts'
import { HOSTILE_READERS } from './hostile-readers/all.ts'
import { attacksOn } from './regexp-attacks.ts'

// What callers send is read in linear time, so that no request and no file blocks a process.

/** Sixteen times the input takes a linear reader about 16 times as long, a quadratic one 256 times. */
const MOST_RATIO = 64
const MOST_MS = 50

for (const reader of HOSTILE_READERS)
  test(`${reader.name} is read in linear time`, async (t) => {
    const isQuick = (ms: number) => reader.pauses === true || ms <= MOST_MS
    const { ms, ratio } = await measureGrowth(
      reader,
      (growth) => growth.ratio < MOST_RATIO && isQuick(growth.ms),
    )

    t.diagnostic(`${ms.toFixed(3)} ms at ${reader.most}, ratio ${ratio.toFixed(1)}`)
    assert.ok(ratio < MOST_RATIO, `sixteen times the input takes ${ratio.toFixed(1)} times as long`)
    assert.ok(isQuick(ms), `${ms} ms`)
  })

test('control: a search of each item in a list is found to be quadratic', async () => {
  const naive: Reader<string[]> = {
    name: 'unique items',
    most: 16_000,
    make: (size) => Array.from({ length: size }, (_, n) => `item ${n}`),
    read: (items) => items.filter((item, index) => items.indexOf(item) === index),
  }

  // A disturbed part looks too slow, and its whole then linear: measure again, as the readers are.
  const { ratio } = await measureGrowth(naive, (growth) => growth.ratio > MOST_RATIO)

  assert.ok(ratio > MOST_RATIO, `${ratio}`)
})

const CHARACTERS = 16_000
const MOST_REGEXP_MS = 15

/** These take longer, and read short texts only. */
const SHORT: Record<string, string> = {
  '(?<=^|[^\\p{L}\\p{N}])[\\p{L}\\p{N}](?=.*\\.)': 'an e-mail address of at most 254 characters',
  '=+$': 'a hash that the service made',
  '\\.+$': 'the host of a URL of at most 2,048 characters',
  '\\/+$': 'the path of a URL of at most 2,048 characters',
}

/** The processor time of the slowest attack in milliseconds. */
function slowest(pattern: RegExp): number {
  return Math.max(0, ...attacksOn(pattern).map((attack) => slowness(pattern, attack)))
}

function slowness(pattern: RegExp, attack: (length: number) => string): number {
  // Grow step by step, because an exponential expression would never end.
  for (let length = 16; length < CHARACTERS; length += length / 2) {
    const ms = timeOf(pattern, attack(length))
    if (ms > MOST_REGEXP_MS) return ms
  }
  return timeOf(pattern, attack(CHARACTERS))
}

/** The processor time of a search; the lowest of three if it is slow, because a garbage collection is slow once. */
function timeOf(pattern: RegExp, text: string): number {
  const ms = timeOnce(pattern, text)
  if (ms <= MOST_REGEXP_MS) return ms
  return Math.min(ms, timeOnce(pattern, text), timeOnce(pattern, text))
}

function timeOnce(pattern: RegExp, text: string): number {
  const before = cpuMs()
  text.replace(new RegExp(pattern.source, pattern.flags.replace('y', '')), '')
  return cpuMs() - before
}

/** The patterns in a schema. */
function patternsIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { pattern, patternProperties = {} } = schema as { pattern?: unknown; patternProperties?: object }
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...Object.keys(patternProperties),
    ...Object.values(schema).flatMap(patternsIn),
  ]
}

test(`each regular expression reads ${CHARACTERS} hostile characters in ${MOST_REGEXP_MS} ms`, async () => {
  const sources = (await Promise.all(['api', 'shared', 'workers'].map(readSources))).flat()
  const literals = sources.flatMap(({ text }) => regexpsOf(blankComments(text)))
  const patterns = endpoints.flatMap(({ params, query, body }) => [params, query, body].flatMap(patternsIn))
  const all = [...literals, ...patterns.map((pattern) => new RegExp(pattern, 'u'))]
  const unique = [...new Map(all.map((one) => [`${one}`, one])).values()]

  const slow = unique.filter((pattern) => slowest(pattern) > MOST_REGEXP_MS).map(({ source }) => source)

  assert.ok(unique.length > 150, `${unique.length}`)
  assert.deepEqual(slow.toSorted(), Object.keys(SHORT).toSorted())
})

test('control: adjacent and nested repetitions are found to be slow', () => {
  for (const pattern of [/\s*,\s*/, /^(a+)+$/, /\([^)]*\)/, /(\w+\s?)*$/])
    assert.ok(slowest(pattern) > MOST_REGEXP_MS, `${pattern}`)
})
