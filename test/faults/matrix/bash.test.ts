import { describeByClock, describeMatrix, describeParentDeath, matrixDirectory } from './describe-matrix.ts'
import { matrixEngines } from './engines.ts'

const { bash } = matrixEngines
const directory = matrixDirectory()

describeMatrix(bash, directory)
describeByClock(bash, directory)
describeParentDeath(bash, directory)
