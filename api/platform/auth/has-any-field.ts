/** Whether a request body contains one of the fields, whatever its value. */
export const hasAnyField = (body: unknown, fields: readonly string[]): boolean =>
  typeof body === 'object' && body !== null && fields.some((field) => Object.hasOwn(body, field))
