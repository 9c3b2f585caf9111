import GRDB
import Crypto
import Hummingbird
import JWTKit
import Logging
import ServiceLifecycle
