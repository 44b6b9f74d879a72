import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type IndexedRow, WordIndex } from '#shared/platform/db/word-index.ts'
import { searchedInSentences, wordsOfEmail, wordsOfSentences } from '#shared/platform/words.ts'
import { Question } from './question.ts'

type Searched = Pick<Question, 'id' | 'authorName' | 'authorEmail' | 'body' | 'answerBody'>

const QUESTION_WORDS = new WordIndex('question_words', 'question_id')

/** Returns two rows: the words of the texts and the author's name, and the words of the author's address. */
function wordsOf({ id, authorName, authorEmail, body, answerBody }: Searched): IndexedRow[] {
  const texts = [authorName, body, answerBody ?? ''].join('\n')
  return [
    { id, words: wordsOfSentences(texts), columns: { is_address: false } },
    { id, words: wordsOfEmail(authorEmail), columns: { is_address: true } },
  ]
}

/** Inserts the words of a new question, whose row the caller has written. */
export const indexNewQuestion = (tx: StoreTx, question: Searched): Promise<void> =>
  QUESTION_WORDS.insert(tx, wordsOf(question))

/** Replaces the words of saved questions. */
export const indexQuestions = (tx: StoreTx, questions: readonly Searched[]): Promise<void> =>
  QUESTION_WORDS.replace(tx, questions.flatMap(wordsOf))

/** Replaces the words of saved questions in batches. */
export const indexManyQuestions = (tx: StoreTx, ids: readonly string[]): Promise<void> =>
  QUESTION_WORDS.replaceInParts(tx, ids, async (some) =>
    (await Question.in(tx).findByIds(some)).flatMap(wordsOf),
  )

/**
 * Returns a query of the ids of questions in which every word of a search starts a word: of the texts, and of the
 * author's address if `seesAddress`.
 */
export const idsOfQuestions = (tx: StoreTx, q: string, { seesAddress }: { seesAddress: boolean }) =>
  QUESTION_WORDS.idsWithWords(tx, searchedInSentences(q), seesAddress ? {} : { is_address: false })
