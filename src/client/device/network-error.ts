export class NetworkError extends Error {
  constructor(options?: ErrorOptions) {
    super('The server could not be reached', options)
    this.name = 'NetworkError'
  }
}
