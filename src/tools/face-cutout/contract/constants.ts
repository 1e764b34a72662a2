/** As many heads as one picture gives. */
export const maxHeads = 12
