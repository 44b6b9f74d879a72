/** Folds a text for case-insensitive comparison: NFKC, then Unicode case folding, trimmed. */
export const foldCase = (text: string): string =>
  [...text.trim().normalize('NFKC')].map(fold).join('').normalize('NFKC')

// Convert to upper case first, because lower case alone does not fold ß and final ς. A dotless ı stays: it is not an i,
// though its capital is I.
const fold = (letter: string): string => (letter === 'ı' ? letter : letter.toUpperCase().toLowerCase())

/** Texts by BCP 47 language tag. */
export type Texts = Record<string, string>

/** Picks a text in the requested language, or else in the store's default language, or else in any language. */
export function pickText(texts: Texts, language: string, fallback: string): string {
  return texts[language] ?? texts[fallback] ?? Object.values(texts)[0] ?? ''
}
