export function makeLetters(): object
