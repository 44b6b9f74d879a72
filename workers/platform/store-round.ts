import type { JobData } from './handle.ts'

/**
 * The stores whose jobs were fetched in the current round. The next fetches of the round pass them over, so each round
 * reaches every store. A fetch looks at the oldest jobs only, as many as a batch takes, and stores whose jobs end fast
 * are always below their limit. So the backlogs of a few stores would hide the jobs of all others.
 */
export class StoreRound {
  readonly #visited = new Set<string>()

  get visited(): string[] {
    return [...this.#visited]
  }

  /**
   * Records the jobs of a fetch. A fetch without jobs of stores ends the round. Returns whether another fetch may find
   * jobs.
   */
  visit(jobs: readonly { data: JobData }[], batchSize: number): boolean {
    const mayFindMore = jobs.length > 0 || this.#visited.size > 0
    const ids = jobs.flatMap(({ data }) => data?.storeId ?? [])
    if (ids.length === 0) this.#visited.clear()
    // A single job in a larger batch is no backlog: a round for it would only cost another fetch.
    else if (this.#visited.size > 0 || ids.length > 1 || batchSize === 1)
      for (const id of ids) this.#visited.add(id)
    return mayFindMore
  }
}
