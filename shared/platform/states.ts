import type { ErrorFactory } from './errors.ts'

/** A subject's states and the states that may follow each. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

/** Whether the table allows a transition. */
export const canTransition = <S extends string>(table: Transitions<S>, from: S, to: S): boolean =>
  table[from].includes(to)

/** Throws `error` with both states unless the table allows the transition. */
export function assertTransition<S extends string>(
  table: Transitions<S>,
  from: S,
  to: S,
  error: ErrorFactory,
): void {
  if (!canTransition(table, from, to)) throw error({ from, to })
}
