import { invalid } from '#shared/platform/validation.ts'

/** Throws 422 for a language that the store does not speak. Null is the store's default. */
export function assertLanguage(
  { languages }: { languages: readonly string[] },
  language: string | null | undefined,
): void {
  if (language && !languages.includes(language))
    throw invalid(['language'], `The store speaks ${languages.join(', ')}`, language)
}
