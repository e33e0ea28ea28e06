export { describeMoved, findMoveProblem, undoMove } from './destination.ts'
export { moveInstallation, type Place } from './moveInstallation.ts'
export { pauseDuringMoves } from './pauseDuringMoves.ts'
export { copyToNewVersion, isUsedSinceUpgrade } from './upgradeDatabase.ts'
