import type { AppliedRate, TaxRules } from './tax-rules.ts'

/** Returns a function that lists the rates of a class by priority. Without a class, the default one counts. */
export function ratesByClass(
  rates: readonly AppliedRate[],
  { defaultClassId }: Pick<TaxRules, 'defaultClassId'>,
) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}
