import { goModels, goOperations } from './generator/go.ts'
import { javaSources } from './generator/java.ts'
import { describe } from './generator/model.ts'
import { phpSources } from './generator/php.ts'
import { pythonOperations } from './generator/python.ts'

/** Generates parts of the clients in other languages, as text by path from the root. */
export default function generate(): Record<string, string> {
  const description = describe()
  return {
    'sdks/go/operations.go': goOperations(description),
    'sdks/go/internal/redaction/models.go': goModels(description),
    ...javaSources(description),
    ...phpSources(description),
    'sdks/python/souk/operations.py': pythonOperations(description),
  }
}
