import type { AppliedRate, TaxTerms } from './tax-terms.ts'

/** Returns a function that lists the rates of a class by priority. Without a class, the default one counts. */
export function ratesByClass(
  rates: readonly AppliedRate[],
  { defaultClassId }: Pick<TaxTerms, 'defaultClassId'>,
) {
  const byClass = Map.groupBy(rates, ({ taxClassId }) => taxClassId)
  return (taxClassId: string | null): readonly AppliedRate[] => {
    const classId = taxClassId ?? defaultClassId
    return (classId && byClass.get(classId)) || []
  }
}
