/**
 * The form in which e-mail addresses are compared: NFKC, then Unicode case folding (decisions, section 3). Mail goes
 * to the address as its owner wrote it, never to this form.
 */
export const normalizeEmail = (email: string): string =>
  [...email.trim().normalize('NFKC')].map(fold).join('').normalize('NFKC')

// Upper case first folds what lower case alone would not (ß, final ς); the dotless ı is no i, whatever its capital says.
const fold = (letter: string): string => (letter === 'ı' ? letter : letter.toUpperCase().toLowerCase())
