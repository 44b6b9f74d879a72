/** The form in which texts are compared whatever their case: NFKC, then Unicode case folding, without outer blanks. */
export const foldCase = (text: string): string =>
  [...text.trim().normalize('NFKC')].map(fold).join('').normalize('NFKC')

// Upper case first folds what lower case alone would not (ß, final ς); the dotless ı is no i, whatever its capital says.
const fold = (letter: string): string => (letter === 'ı' ? letter : letter.toUpperCase().toLowerCase())
