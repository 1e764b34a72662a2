/** Never cached, and nothing in the picture may run. */
export function privatePicture(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': 'inline; filename="picture"',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  }
}
