/** As many faces as one run takes. */
export const maxFaces = 12
