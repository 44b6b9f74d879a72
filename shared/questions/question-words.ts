import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { WordIndex } from '#shared/platform/db/word-index.ts'
import { searchedInSentences, wordsOfEmail, wordsOfSentences } from '#shared/platform/words.ts'
import type { Question } from './question.ts'

type Searched = Pick<Question, 'id' | 'authorName' | 'authorEmail' | 'body' | 'answerBody'>

/** Words of the question, its answer and the author's name. */
const QUESTION_WORDS = new WordIndex('question_words', 'question_id')

/** Words of the author's name and address. */
const AUTHOR_WORDS = new WordIndex('question_author_words', 'question_id')

const wordsOfQuestion = ({ id, authorName, body, answerBody }: Searched) => ({
  id,
  words: wordsOfSentences([authorName, body, answerBody ?? ''].join('\n')),
})

const wordsOfAuthor = ({ id, authorName, authorEmail }: Searched) => ({
  id,
  words: [...new Set([...wordsOfSentences(authorName), ...wordsOfEmail(authorEmail)])],
})

/** Inserts the words of a new question, whose row the caller has written. */
export async function indexNewQuestion(tx: StoreTx, question: Searched): Promise<void> {
  await QUESTION_WORDS.insert(tx, [wordsOfQuestion(question)])
  await AUTHOR_WORDS.insert(tx, [wordsOfAuthor(question)])
}

/** Replaces the words of questions, whose rows the caller has written. */
export async function indexQuestions(tx: StoreTx, questions: readonly Searched[]): Promise<void> {
  await QUESTION_WORDS.replaceAll(tx, questions.map(wordsOfQuestion))
  await AUTHOR_WORDS.replaceAll(tx, questions.map(wordsOfAuthor))
}

/**
 * Returns a query of the ids of questions in which every word of a search starts a word: of the texts, or, if
 * `seesAddress`, of the author's name and address.
 */
export function idsOfQuestions(tx: StoreTx, q: string, { seesAddress }: { seesAddress: boolean }) {
  const beginnings = searchedInSentences(q)
  const ids = QUESTION_WORDS.idsWithWords(tx, beginnings)
  return seesAddress ? ids.unionAll(AUTHOR_WORDS.idsWithWords(tx, beginnings)) : ids
}
