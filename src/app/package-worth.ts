/** How many pictures of `unit` credits a package is worth, and what one costs, to the nearest 50 rupiah. */
export function pictureWorth(
  { credits, idr }: { credits: number; idr: number },
  unit: number,
): { pictures: number; idrEach: number } {
  const pictures = Math.max(1, Math.floor(credits / Math.max(1, unit)))
  return { pictures, idrEach: Math.round(idr / pictures / 50) * 50 }
}
