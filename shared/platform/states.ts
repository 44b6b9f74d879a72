import type { ErrorFactory } from './errors.ts'

/** A subject's states and the states that may follow each. */
export type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

/** Returns the states that no other state follows. */
export const terminalStates = <S extends string>(table: Transitions<S>): readonly S[] =>
  (Object.keys(table) as S[]).filter((state) => table[state].length === 0)

/** Returns the states that a state may follow. */
export const statesBefore = <S extends string>(table: Transitions<S>, to: S): readonly S[] =>
  (Object.keys(table) as S[]).filter((from) => table[from].includes(to))

/** Writes states as an SQL list: `('failed', 'canceled')`. A partial index matches literals, but no bindings. */
export const toSqlList = (states: Iterable<string>): string =>
  `(${[...states].map((state) => `'${state}'`).join(', ')})`

/** Whether the table allows a transition. */
export const canTransition = <S extends string>(table: Transitions<S>, from: S, to: S): boolean =>
  table[from].includes(to)

/** Throws `error` with both states if the table does not allow the transition. */
export function assertTransition<S extends string>(
  table: Transitions<S>,
  from: S,
  to: S,
  error: ErrorFactory<{ from: string; to: string }>,
): void {
  if (!canTransition(table, from, to)) throw error({ from, to })
}
