/** Folds a text for comparison regardless of case: NFKC, then Unicode case folding, trimmed. */
export const foldCase = (text: string): string =>
  [...text.trim().normalize('NFKC')].map(fold).join('').normalize('NFKC')

// Upper case first: lower case alone does not fold ß and final ς. A dotless ı is not an i, though its capital is I.
const fold = (letter: string): string => (letter === 'ı' ? letter : letter.toUpperCase().toLowerCase())

/** Texts by BCP 47 language tag. */
export type Texts = Record<string, string>

/** Picks a text by language: the requested one, else the store's default, else any. */
export function pickText(texts: Texts, language: string, fallback: string): string {
  return texts[language] ?? texts[fallback] ?? Object.values(texts)[0] ?? ''
}
