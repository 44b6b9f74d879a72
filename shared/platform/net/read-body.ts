/**
 * Reads a response into memory. Throws the error of `tooLarge` once it has more than `maxBytes` bytes, whatever length
 * it announced. `check` gets each chunk as it arrives, and may throw.
 */
export async function readBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => Error,
  check?: (chunk: Buffer) => void,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge()
    check?.(chunk)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
