import type { Reader } from '../growth.ts'

/** The most bytes of a request's head, of a row of a file and of a JSON body. */
export const HEAD = 16_000
export const ROW = 1_000_000
export const BODY = 1_000_000

export const reader = <T>(one: Reader<T>): Reader => one as unknown as Reader

/** Readers of one text, each with every hostile part repeated. */
export const ofText = (
  name: string,
  most: number,
  parts: readonly string[],
  read: (text: string) => unknown,
  pauses = false,
) =>
  parts.map((part) =>
    reader({
      pauses,
      name: `${name} of ${JSON.stringify(part)}`,
      most: Math.floor((most - 2) / part.length),
      make: (size) => `x${part.repeat(size)}x`,
      read,
    }),
  )

export const list = <T>(size: number, item: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, n) => item(n))
