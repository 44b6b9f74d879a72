/** Returns the name of a component of the API description: `created_from` becomes `CreatedFrom`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
