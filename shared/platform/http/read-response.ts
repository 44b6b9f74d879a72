import { type JsonBounds, measureJson } from './measure-json.ts'

/** The most bytes of a response, and the most of each kind in its JSON. */
export interface ResponseBounds extends JsonBounds {
  bytes: number
}

/**
 * Reads the JSON response of an outside system into memory, without parsing it. Throws the error of `refuse` as soon as
 * it has more than `most`, whatever length it announced; `refuse` gets what it has, e.g. "more than 2000 values".
 */
export async function readResponse(
  body: AsyncIterable<Buffer>,
  most: ResponseBounds,
  refuse: (excess: string) => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  const measure = measureJson(most)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    const excess = bytes > most.bytes ? 'bytes' : measure(chunk)
    if (excess) throw refuse(`more than ${most[excess]} ${excess}`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
