/** A difference between two books. `subject` names the record: its table and its id. */
export interface Discrepancy {
  /** The name of the invariant that does not hold. */
  invariant: string
  subject: string
  expected: string
  found: string
}

/** A rule about the books of a store that holds after every transaction. */
export interface Invariant {
  name: string
  sentence: string
  /**
   * A query of the records that break the rule: `store_id, subject, expected, found`. Row-level security limits it to
   * the transaction's store. Every join has `store_id`, so it would be correct for several stores too.
   */
  sql: string
}
