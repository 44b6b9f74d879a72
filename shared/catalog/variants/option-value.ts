/** The value of an option. Its name may be any text, also that of a property that every object has: `constructor`. */
export const optionValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
