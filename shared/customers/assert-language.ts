import { invalid } from '#shared/platform/validation.ts'

/** Throws 422 for a language that is not one of the store's. Null means the store's default. */
export function assertLanguage(
  { languages }: { languages: readonly string[] },
  language: string | null | undefined,
): void {
  if (language && !languages.includes(language))
    throw invalid(['language'], `Use a language of the store: ${languages.join(', ')}`, language)
}
