const BATCH = 500

/** Returns the items of a list, and calls `see` with each before it is used. */
export async function* tap<T>(items: AsyncIterable<T>, see: (item: T) => unknown): AsyncGenerator<T> {
  for await (const item of items) {
    see(item)
    yield item
  }
}

/** Returns the items of a list in batches of bounded size. */
export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length) yield batch
}
