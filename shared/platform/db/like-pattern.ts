/** The pattern by which `like` finds a text with these words in it; what SQL would take for a wildcard is a letter here. */
export const likePattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`
