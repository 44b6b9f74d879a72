import type { ErrorFactory } from './errors.ts'

/** What may follow what: the one place a subject's states stand. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

/** Whether the table lets a subject go from one state to another. */
export const canTransition = <S extends string>(table: Transitions<S>, from: S, to: S): boolean =>
  table[from].includes(to)

/** Throws `error` with both states unless the table lets the subject go from one to the other. */
export function assertTransition<S extends string>(
  table: Transitions<S>,
  from: S,
  to: S,
  error: ErrorFactory,
): void {
  if (!canTransition(table, from, to)) throw error({ from, to })
}
