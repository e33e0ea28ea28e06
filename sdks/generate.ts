import { faultsPage } from './faults/page.ts'
import { constantsPage } from './generator/constantsPage.ts'
import { goEnums, goModels, goOperations, goSlog } from './generator/go.ts'
import { javaSources } from './generator/java.ts'
import { type Description, describe } from './generator/model.ts'
import { phpSources } from './generator/php.ts'
import { pythonAsyncOperations, pythonEnums, pythonOperations } from './generator/python.ts'
import {
  typescriptEnums,
  typescriptOperations,
  typescriptPlatform,
  typescriptTypes,
  typescriptVersion,
} from './generator/typescript.ts'

/** Generates parts of the clients, and the pages about their constants and faults, as text by path from the root. */
export default function generate(): Record<string, string> {
  const description = describe()
  return {
    'docs/generated/client-constants.md': constantsPage(description),
    'docs/generated/client-faults.md': faultsPage(),
    ...clientSources(description),
  }
}

/** Generates the parts of the clients for a description of the contract, as text by path from the root. */
export function clientSources(description: Description): Record<string, string> {
  return {
    'packages/sdk/src/enums.generated.ts': typescriptEnums(description),
    'packages/sdk/src/openOperations.generated.ts': typescriptOperations(description),
    'packages/sdk/src/operations.generated.ts': typescriptTypes(description),
    'packages/sdk/src/platformOperations.generated.ts': typescriptPlatform(description),
    'packages/sdk/src/version.generated.ts': typescriptVersion(description),
    'sdks/go/enums.go': goEnums(description),
    'sdks/go/operations.go': goOperations(description),
    'sdks/go/slog.go': goSlog(description),
    'sdks/go/internal/redaction/models.go': goModels(description),
    ...javaSources(description),
    ...phpSources(description),
    'sdks/python/souk/enums.py': pythonEnums(description),
    'sdks/python/souk/operations.py': pythonOperations(description),
    'sdks/python/souk/async_operations.py': pythonAsyncOperations(description),
  }
}
